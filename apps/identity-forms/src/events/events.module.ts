import { IDENTITY_EVENTS } from '@gatehouse/delivery';
import { EventRetention, LaneQueueModule } from '@gatehouse/delivery/nest';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type DynamicModule, Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { DataSource } from 'typeorm';
import { type IdentityFormsConfig } from '../config.js';
import { IdentityEventLog } from './identity-event-log.js';

@Module({})
export class EventsModule {
  static forRoot(config: IdentityFormsConfig): DynamicModule {
    return {
      module: EventsModule,
      global: true,
      imports: [LaneQueueModule.forRoot(IDENTITY_EVENTS.schema)],
      providers: [
        IdentityEventLog,
        {
          provide: EventRetention,
          inject: [DataSource, LOGGER],
          useFactory: (dataSource: DataSource, logger: Logger) =>
            new EventRetention(dataSource, IDENTITY_EVENTS.schema, config.eventsTtlSeconds, logger),
        },
      ],
      exports: [IdentityEventLog],
    };
  }
}
