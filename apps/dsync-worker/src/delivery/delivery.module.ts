import { createDelivery, type Delivery, LaneQueue } from '@gatehouse/directory-sync';
import { LOGGER, REDIS } from '@gatehouse/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import { type Redis } from 'ioredis';
import { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { type DsyncWorkerConfig } from '../config.js';
import { OutboxSweep } from '../outbox/outbox.sweep.js';
import { deliveryMetrics } from './delivery.metrics.js';
import { LaneProcessor } from './lane.processor.js';
import { CONFIG, DELIVERY } from './delivery.tokens.js';

/** Delivers lanes, and sweeps for those that nobody woke. */
@Module({})
export class DeliveryModule {
  static forRoot(config: DsyncWorkerConfig): DynamicModule {
    return {
      module: DeliveryModule,
      providers: [
        { provide: CONFIG, useValue: config },
        {
          provide: LaneQueue,
          inject: [REDIS, LOGGER],
          useFactory: (redis: Redis, logger: Logger) =>
            new LaneQueue(redis, config.redisNamespace, logger),
        },
        {
          provide: DELIVERY,
          inject: [DataSource, LOGGER, Registry],
          useFactory: (dataSource: DataSource, logger: Logger, registry: Registry): Delivery =>
            createDelivery({
              dataSource,
              encryptionKeys: config.encryptionKeys,
              outbound: { allowPrivate: config.webhookAllowPrivate },
              settings: {
                retryScheduleSeconds: config.webhookRetryScheduleSeconds,
                timeoutSeconds: config.webhookTimeoutSeconds,
              },
              logger,
              onAttempt: deliveryMetrics(registry),
            }),
        },
        LaneProcessor,
        OutboxSweep,
      ],
    };
  }
}
