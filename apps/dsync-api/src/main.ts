import { loadConfigOrExit, runService } from '@gatehouse/service-kit';
import { DsyncApiConfig } from './config.js';
import { dsyncApi } from './service.js';

await runService(dsyncApi(loadConfigOrExit(DsyncApiConfig)));
