import { loadConfigOrExit, runService } from '@gatehouse/service-kit';
import { AppModule } from './app.module.js';
import { DsyncWorkerConfig } from './config.js';

const config = loadConfigOrExit(DsyncWorkerConfig);

await runService({
  name: 'dsync-worker',
  config,
  module: AppModule.forRoot(config),
  health: { database: true, redis: 'required' },
  exceptionFilters: [],
});
