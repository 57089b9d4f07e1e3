import { type ServiceDefinition } from '@gatehouse/service-kit';
import { AppModule } from './app.module.js';
import { type DsyncWorkerConfig } from './config.js';

export function dsyncWorker(config: DsyncWorkerConfig): ServiceDefinition {
  return {
    name: 'dsync-worker',
    config,
    module: AppModule.forRoot(config),
    health: { database: true, redis: 'required' },
  };
}
