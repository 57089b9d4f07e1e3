import { KEY_EVENTS } from '@gatehouse/delivery';
import { EventRetention, LaneQueueModule } from '@gatehouse/delivery/nest';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type DynamicModule, Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { DataSource } from 'typeorm';
import { type KeyServiceConfig } from '../config.js';
import { KeyEventLog } from './key-event-log.js';
import { PersonalDataErasure } from './personal-data-erasure.js';

@Module({})
export class EventsModule {
  static forRoot(config: KeyServiceConfig): DynamicModule {
    return {
      module: EventsModule,
      global: true,
      imports: [LaneQueueModule.forRoot(KEY_EVENTS.schema)],
      providers: [
        KeyEventLog,
        PersonalDataErasure,
        {
          provide: EventRetention,
          inject: [DataSource, LOGGER],
          useFactory: (dataSource: DataSource, logger: Logger) =>
            new EventRetention(dataSource, KEY_EVENTS.schema, config.eventsTtlSeconds, logger),
        },
      ],
      exports: [KeyEventLog],
    };
  }
}
