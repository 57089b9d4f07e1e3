import { EventRetention, KEY_EVENTS, LaneQueueModule } from '@gatehouse/delivery';
import { LOGGER } from '@gatehouse/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { DataSource } from 'typeorm';
import { type KeyServiceConfig } from '../config.js';
import { KeyEventLog } from './key-event-log.js';

const DAY_SECONDS = 86_400;
const FOREVER_DAYS = 1_000_000;

@Module({})
export class EventsModule {
  static forRoot(config: KeyServiceConfig): DynamicModule {
    const { eventsTtlSeconds, webhookLogsTtlSeconds } = config;
    const retention = {
      eventsDays: daysOf(eventsTtlSeconds),
      attemptsDays: daysOf(webhookLogsTtlSeconds),
    };
    return {
      module: EventsModule,
      global: true,
      imports: [LaneQueueModule.forRoot(config, KEY_EVENTS.schema)],
      providers: [
        KeyEventLog,
        {
          provide: EventRetention,
          inject: [DataSource, LOGGER],
          useFactory: (dataSource: DataSource, logger: Logger) =>
            new EventRetention(dataSource, KEY_EVENTS.schema, retention, logger),
        },
      ],
      exports: [KeyEventLog],
    };
  }
}

/** A partition has whole days; 0 means forever. */
function daysOf(seconds: number): number {
  return seconds === 0 ? FOREVER_DAYS : Math.ceil(seconds / DAY_SECONDS);
}
