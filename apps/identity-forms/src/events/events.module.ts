import {
  EVENT_CATALOGUE,
  EventCatalogueController,
  EventRetention,
  IDENTITY_EVENTS,
  LaneQueueModule,
} from '@gatehouse/delivery';
import { IDENTITY_EVENT_CATALOGUE } from '@gatehouse/schemas';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type DynamicModule, Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { DataSource } from 'typeorm';
import { type IdentityFormsConfig } from '../config.js';
import { PagingModule } from '../paging/paging.module.js';
import { IdentityEventLog } from './identity-event-log.js';
import { IdentityEventsController } from './identity-events.controller.js';

@Module({})
export class EventsModule {
  static forRoot(config: IdentityFormsConfig): DynamicModule {
    return {
      module: EventsModule,
      global: true,
      imports: [LaneQueueModule.forRoot(config, IDENTITY_EVENTS.schema), PagingModule],
      controllers: [EventCatalogueController, IdentityEventsController],
      providers: [
        { provide: EVENT_CATALOGUE, useValue: IDENTITY_EVENT_CATALOGUE },
        IdentityEventLog,
        {
          provide: EventRetention,
          inject: [DataSource, LOGGER],
          useFactory: (dataSource: DataSource, logger: Logger) =>
            new EventRetention(dataSource, IDENTITY_EVENTS.schema, config, logger),
        },
      ],
      exports: [IdentityEventLog],
    };
  }
}
