import { loadConfigOrExit } from '@gatehouse/kit/settings';
import { runService } from '@gatehouse/nest-kit/http';
import { DsyncWorkerConfig } from './config.js';
import { dsyncWorker } from './service.js';

void runService(dsyncWorker(loadConfigOrExit(DsyncWorkerConfig)));
