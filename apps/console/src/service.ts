import { type ServiceDefinition } from '@gatehouse/nest-kit/http';
import { AppModule } from './app.module.js';
import { type ConsoleConfig } from './config.js';
import { ConsoleRoutes } from './console.routes.js';

export function consoleService(config: ConsoleConfig): ServiceDefinition {
  return {
    name: 'console',
    config,
    clients: config.clients,
    module: AppModule.forRoot(config),
    health: { database: true, exchange: 'optional' },
    nativeRoutes: [ConsoleRoutes],
  };
}
