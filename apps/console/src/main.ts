import { loadConfigOrExit } from '@gatehouse/kit/settings';
import { runService } from '@gatehouse/nest-kit/http';
import { ConsoleConfig } from './config.js';
import { consoleService } from './service.js';

void runService(consoleService(loadConfigOrExit(ConsoleConfig)));
