import { loadConfigOrExit, runService } from '@gatehouse/service-kit';
import { DsyncWorkerConfig } from './config.js';
import { dsyncWorker } from './service.js';

await runService(dsyncWorker(loadConfigOrExit(DsyncWorkerConfig)));
