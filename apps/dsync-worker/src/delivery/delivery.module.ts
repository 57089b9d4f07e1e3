import { type DeliveryOptions, LaneQueue } from '@gatehouse/delivery';
import { createDelivery, type Delivery, DSYNC_SCHEMA } from '@gatehouse/directory-sync';
import { type Exchange } from '@gatehouse/kit/exchange';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { DsyncWorkerConfig } from '../config.js';
import { DELIVERY } from '../delivery.token.js';
import { deliveryMetrics } from './delivery.metrics.js';
import { applyPeopleOver } from './apply-people.js';
import {
  DELIVERY_SYSTEMS,
  type DeliverySystems,
  opener,
  otherSystems,
  type WorkerSystem,
} from './delivery-systems.js';
import { LaneProcessor } from './lane.processor.js';
import { PeopleSchedule } from './people.schedule.js';

/** How long before their expiry SCIM tokens are announced, with an event each. */
const TOKEN_EXPIRING_SECONDS = [30 * 86_400, 7 * 86_400, 86_400];
/** Short, because other lanes wait for the place meanwhile. */
const TURN_SECONDS = 1;

/** Injection token of the options that all systems share. */
const OPTIONS = Symbol('OPTIONS');
type SharedOptions = Omit<DeliveryOptions, 'sql' | 'system'>;

/** Delivers the lanes that the queue hands out. */
@Module({
  providers: [
    {
      provide: OPTIONS,
      inject: [DsyncWorkerConfig, LOGGER, Registry],
      useFactory: (
        config: DsyncWorkerConfig,
        logger: Logger,
        registry: Registry,
      ): SharedOptions => ({
        outbound: config.webhooks,
        settings: {
          retryScheduleSeconds: config.delivery.retryScheduleSeconds,
          timeoutSeconds: config.delivery.timeoutSeconds,
          turnSeconds: TURN_SECONDS,
          eventAttempts: config.delivery.eventAttempts,
          batchSize: config.delivery.size,
        },
        logger,
        onAttempt: deliveryMetrics(registry),
      }),
    },
    {
      provide: DELIVERY,
      inject: [DsyncWorkerConfig, DataSource, OPTIONS, EXCHANGE],
      useFactory: (
        { encryptionKeys }: DsyncWorkerConfig,
        dataSource: DataSource,
        options: SharedOptions,
        exchange: Exchange,
      ): Delivery =>
        createDelivery({
          ...options,
          applyPeople: applyPeopleOver(exchange),
          dataSource,
          encryptionKeys,
          tokenExpiringThresholds: TOKEN_EXPIRING_SECONDS,
        }),
    },
    {
      provide: DELIVERY_SYSTEMS,
      inject: [DsyncWorkerConfig, DELIVERY, LaneQueue, OPTIONS, EXCHANGE, LOGGER],
      useFactory: (
        config: DsyncWorkerConfig,
        delivery: Delivery,
        lanes: LaneQueue,
        options: SharedOptions,
        exchange: Exchange,
        logger: Logger,
      ): DeliverySystems => {
        const dsync = {
          name: DSYNC_SCHEMA,
          delivery,
          lanes,
          open: opener(config, delivery),
          close: () => Promise.resolve(),
        };
        const lanesOf = (name: string) => new LaneQueue(exchange.queues, name, logger);
        const others = otherSystems(config, options, lanesOf, applyPeopleOver(exchange));
        const systems: WorkerSystem[] = [dsync, ...others];
        return new Map(systems.map((system) => [system.name, system]));
      },
    },
    LaneProcessor,
    PeopleSchedule,
  ],
  exports: [DELIVERY, DELIVERY_SYSTEMS, LaneProcessor],
})
export class DeliveryModule {}
