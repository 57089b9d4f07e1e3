import { type ServiceDefinition } from '@gatehouse/nest-kit/http';
import { AppModule } from './app.module.js';
import { BOARD_HEADERS } from './board/board.headers.js';
import { BoardRoutes } from './board/board.routes.js';
import { type DsyncWorkerConfig } from './config.js';

export function dsyncWorker(config: DsyncWorkerConfig): ServiceDefinition {
  const { messages } = config;
  const hasBoard = config.admin.keys.length > 0;
  return {
    name: 'dsync-worker',
    config,
    module: AppModule.forRoot(config),
    health: { database: true, exchange: 'required' },
    ...(messages.keys.length > 0 && { messages }),
    ...(hasBoard && { helmet: BOARD_HEADERS, nativeRoutes: [BoardRoutes] }),
  };
}
