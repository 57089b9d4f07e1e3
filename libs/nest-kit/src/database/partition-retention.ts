import { type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Logger } from 'pino';
import { PeriodicTask } from '@gatehouse/kit/tasks';

const INTERVAL_MS = 3_600_000;
const FIRST_AFTER_MS = 10_000;

/** Maintains daily partitions once an hour, in every process that owns their tables. */
export class PartitionRetention implements OnModuleInit, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  /** @param maintain returns the names of the partitions that it dropped */
  constructor(
    private readonly maintain: () => Promise<string[]>,
    private readonly logger: Logger,
    private readonly failureMessage: string,
  ) {
    this.task = new PeriodicTask({
      run: () => this.maintainOnce(),
      intervalMs: INTERVAL_MS,
      firstAfterMs: FIRST_AFTER_MS,
      logger,
      failureMessage,
    });
  }

  /** Before the process serves, because no row can be written without the partition of its day. */
  async onModuleInit(): Promise<void> {
    await this.maintainOnce().catch((error: unknown) => {
      // Without tables, the process is not ready until they have been migrated.
      this.logger.warn({ err: error }, this.failureMessage);
    });
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  private async maintainOnce(): Promise<void> {
    const dropped = await this.maintain();
    if (dropped.length > 0) this.logger.info({ dropped }, 'old partitions dropped');
  }
}
