import { createDelivery, type Delivery } from '@gatehouse/directory-sync';
import { LOGGER } from '@gatehouse/service-kit';
import { Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { DsyncWorkerConfig } from '../config.js';
import { DELIVERY } from '../delivery.token.js';
import { deliveryMetrics } from './delivery.metrics.js';
import { LaneProcessor } from './lane.processor.js';

/** Short, because other lanes wait for the place meanwhile. */
const TURN_SECONDS = 1;

/** Delivers the lanes that the queue hands out. */
@Module({
  providers: [
    {
      provide: DELIVERY,
      inject: [DsyncWorkerConfig, DataSource, LOGGER, Registry],
      useFactory: (
        config: DsyncWorkerConfig,
        dataSource: DataSource,
        logger: Logger,
        registry: Registry,
      ): Delivery =>
        createDelivery({
          dataSource,
          encryptionKeys: config.encryptionKeys,
          outbound: { allowPrivate: config.webhookAllowPrivate, ports: config.webhookPorts },
          settings: {
            retryScheduleSeconds: config.webhookRetryScheduleSeconds,
            timeoutSeconds: config.webhookTimeoutSeconds,
            turnSeconds: TURN_SECONDS,
            eventAttempts: config.eventAttempts,
            batchSize: config.webhookBatchSize,
          },
          logger,
          onAttempt: deliveryMetrics(registry),
        }),
    },
    LaneProcessor,
  ],
  exports: [DELIVERY],
})
export class DeliveryModule {}
