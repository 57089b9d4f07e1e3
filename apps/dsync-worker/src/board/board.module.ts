import { AUDIT_TABLE } from '@gatehouse/directory-sync';
import { AdminModule } from '@gatehouse/nest-kit/admin';
import { AuditModule } from '@gatehouse/nest-kit/audit';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type DynamicModule, Inject, Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { DsyncWorkerConfig } from '../config.js';
import { BOARD_PATH, BoardRoutes } from './board.routes.js';

/** Shows the queue of the lanes in a browser, to holders of one of ADMIN_API_KEYS. */
@Module({})
export class BoardModule {
  constructor({ admin }: DsyncWorkerConfig, @Inject(LOGGER) logger: Logger) {
    if (admin.keys.length > 0) return;
    logger.info({ path: BOARD_PATH }, 'there is no queue board; ADMIN_API_KEYS opens it');
  }

  static forRoot({ admin, host }: DsyncWorkerConfig): DynamicModule {
    if (admin.keys.length === 0) return { module: BoardModule };
    return {
      module: BoardModule,
      imports: [
        // Denied calls are in the audit log of directory sync; its API deletes old events.
        AuditModule.forRoot(AUDIT_TABLE, { ttlSeconds: 0 }),
        AdminModule.forRoot({
          staticKeys: admin.keys,
          mode: 'closed',
          schemes: ['basic', 'bearer'],
          scope: 'dsync:read',
          paths: [BOARD_PATH],
          clients: { clientIpSource: 'socket', trustedProxies: [], host },
        }),
      ],
      providers: [BoardRoutes],
    };
  }
}
