import { type Exchange } from '@gatehouse/kit/exchange';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type DynamicModule, Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { LaneQueue } from '../queue/lane-queue.js';

/** Provides the LaneQueue of one system. */
@Module({})
export class LaneQueueModule {
  static forRoot(system: string): DynamicModule {
    return {
      module: LaneQueueModule,
      global: true,
      providers: [
        {
          provide: LaneQueue,
          inject: [EXCHANGE, LOGGER],
          useFactory: ({ queues }: Exchange, logger: Logger) =>
            new LaneQueue(queues, system, logger),
        },
      ],
      exports: [LaneQueue],
    };
  }
}
