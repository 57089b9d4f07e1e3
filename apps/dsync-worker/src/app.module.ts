import { LaneQueueModule } from '@gatehouse/delivery/nest';
import { databaseDefinition, DSYNC_SCHEMA } from '@gatehouse/directory-sync';
import { DatabaseModule } from '@gatehouse/nest-kit/database';
import { type DynamicModule, Module } from '@nestjs/common';
import { BoardModule } from './board/board.module.js';
import { DsyncWorkerConfig } from './config.js';
import { DeliveryModule } from './delivery/delivery.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { RolesModule } from './roles/roles.module.js';
import { WorkspaceModule } from './workspace/workspace.module.js';

@Module({})
export class AppModule {
  static forRoot(config: DsyncWorkerConfig): DynamicModule {
    return {
      module: AppModule,
      global: true,
      imports: [
        DatabaseModule.forRoot({ config, ...databaseDefinition }),
        LaneQueueModule.forRoot(DSYNC_SCHEMA),
        DeliveryModule,
        OutboxModule,
        WorkspaceModule,
        RolesModule,
        BoardModule.forRoot(config),
      ],
      providers: [{ provide: DsyncWorkerConfig, useValue: config }],
      exports: [DsyncWorkerConfig],
    };
  }
}
