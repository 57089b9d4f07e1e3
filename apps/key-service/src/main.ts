import { loadConfigOrExit } from '@gatehouse/kit/settings';
import { runService } from '@gatehouse/nest-kit/http';
import { KeyServiceConfig } from './config.js';
import { keyService } from './service.js';

void runService(keyService(loadConfigOrExit(KeyServiceConfig)));
