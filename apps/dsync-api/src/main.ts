import { loadConfigOrExit } from '@gatehouse/kit/settings';
import { runService } from '@gatehouse/nest-kit/http';
import { DsyncApiConfig } from './config.js';
import { dsyncApi } from './service.js';

void runService(dsyncApi(loadConfigOrExit(DsyncApiConfig)));
