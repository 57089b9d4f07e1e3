/** Writes what this process counted, every five seconds and when it ends. */
import { toDomainError } from '@gatehouse/kit/errors';
import { uuidv7 } from '@gatehouse/kit/ids';
import { retryLostRaces, Sql } from '@gatehouse/kit/sql';
import { PeriodicTask } from '@gatehouse/kit/tasks';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Logger } from 'pino';
import { PendingUsage, type WriteBatch } from './pending-usage.js';
import { UsageExpansion } from './usage-expansion.js';
import { ADD_BATCH } from './usage-log.sql.js';
import { UsageRecorder } from './usage-recorder.js';

export const FLUSH_INTERVAL_MS = 5_000;
const STOP_MS_MAX = 5_000;

@Injectable()
export class UsageLog implements OnModuleInit, OnApplicationShutdown {
  readonly pending = new PendingUsage();
  writtenRows = 0;
  private readonly writer = uuidv7();
  private readonly expansion: UsageExpansion;
  private readonly task: PeriodicTask;
  /** Sent, but not confirmed: it is sent again unchanged, because it may have been added. */
  private unconfirmed: WriteBatch | undefined;

  constructor(
    private readonly sql: Sql,
    private readonly recorder: UsageRecorder,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {
    this.expansion = new UsageExpansion(recorder.overflows);
    this.task = new PeriodicTask({
      run: () => this.flush(),
      intervalMs: FLUSH_INTERVAL_MS,
      logger,
      failureMessage: 'usage could not be written; it is tried again',
    });
  }

  onModuleInit(): void {
    this.task.start();
  }

  /** Writes what is left, for at most five seconds. */
  async onApplicationShutdown(): Promise<void> {
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, STOP_MS_MAX).unref());
    await Promise.race([this.writeRest(), timeout]);
    const lost = this.pending.size + (this.unconfirmed?.rows.length ?? 0);
    if (lost > 0) this.logger.warn({ rows: lost }, 'counts of usage were lost at the end');
  }

  /** Not to be called while another call runs. */
  async flush(nowMs = Date.now()): Promise<void> {
    for (const batch of this.recorder.take()) this.expansion.expand(batch, this.pending.add);
    for (;;) {
      const batch = (this.unconfirmed ??= this.pending.take(nowMs));
      if (batch === undefined) return;
      try {
        await retryLostRaces(() => this.sql.rows(ADD_BATCH, this.valuesOf(batch)));
        this.writtenRows += batch.rows.length;
        this.unconfirmed = undefined;
      } catch (error) {
        // Any other refusal of the database would repeat.
        if (toDomainError(error).kind !== 'unavailable') {
          this.pending.lose(batch.rows);
          this.unconfirmed = undefined;
        }
        throw error;
      }
    }
  }

  private async writeRest(): Promise<void> {
    await this.task.stop();
    await this.flush().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'usage could not be written');
    });
  }

  private valuesOf({ hourMs, number, rows }: WriteBatch): unknown[] {
    return [
      this.writer,
      new Date(hourMs),
      number,
      rows.map(({ series }) => series),
      rows.map(({ atMs }) => new Date(atMs)),
      rows.map(({ subject }) => subject),
      rows.map(({ tag }) => tag),
      rows.map(({ outcome }) => outcome),
      rows.map(({ limitName }) => limitName),
      rows.map(({ actorId }) => actorId),
      rows.map(({ count }) => count),
      rows.map(({ cost }) => cost),
    ];
  }
}
