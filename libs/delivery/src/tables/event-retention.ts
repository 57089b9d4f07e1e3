import { PeriodicTask, Sql } from '@gatehouse/service-kit';
import { type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Logger } from 'pino';
import { type DataSource } from 'typeorm';
import { Partitions, type Retention } from './partitions.js';

const INTERVAL_MS = 3_600_000;
const FIRST_AFTER_MS = 10_000;
const FAILURE_MESSAGE = 'partitions of the event log could not be maintained';

/** Maintains the partitions of a system, in every process that owns its tables. */
export class EventRetention implements OnModuleInit, OnApplicationShutdown {
  private readonly partitions: Partitions;
  private readonly task: PeriodicTask;

  constructor(
    dataSource: DataSource,
    schema: string,
    private readonly retention: Retention,
    private readonly logger: Logger,
  ) {
    this.partitions = new Partitions(new Sql(dataSource), schema, logger);
    this.task = new PeriodicTask({
      run: () => this.maintain(),
      intervalMs: INTERVAL_MS,
      firstAfterMs: FIRST_AFTER_MS,
      logger,
      failureMessage: FAILURE_MESSAGE,
    });
  }

  /** Before the process serves, because no event can be written without the partition of its day. */
  async onModuleInit(): Promise<void> {
    await this.maintain().catch((error: unknown) => {
      // Without tables, the process is not ready until they have been migrated.
      this.logger.warn({ err: error }, FAILURE_MESSAGE);
    });
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  private async maintain(): Promise<void> {
    const dropped = await this.partitions.maintain(this.retention);
    if (dropped.length > 0) this.logger.info({ dropped }, 'old partitions dropped');
  }
}
