/**
 * Sums up minutes to hours and hours to days. A sum is computed from all of its counts and replaces a
 * smaller one, so it is right however often, in whatever order and by how many processes it is computed.
 * Batches that arrive late make their hour due again.
 */
import { Sql } from '@gatehouse/kit/sql';
import { PeriodicTask } from '@gatehouse/kit/tasks';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Logger } from 'pino';
import * as statements from './usage-log.sql.js';

const INTERVAL_MS = 60_000;
/** How old the sums of the current hour may be. */
const CURRENT_SECONDS = 300;
/** Rows that are summed up in one statement, at most about. */
const SLICE_ROWS = 500_000;

interface ClaimedBatch {
  level: number;
  at: Date;
  writer: string;
  batch: string;
  rows: string;
}

@Injectable()
export class UsageRollup implements OnModuleInit, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    private readonly sql: Sql,
    @Inject(LOGGER) logger: Pick<Logger, 'warn'>,
  ) {
    this.task = new PeriodicTask({
      run: (signal) => this.sumUpDue(signal),
      intervalMs: INTERVAL_MS,
      logger,
      failureMessage: 'usage could not be summed up',
    });
  }

  onModuleInit(): void {
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** @param currentSeconds how old the sums of the current hour may be */
  async sumUpDue(signal?: AbortSignal, currentSeconds = CURRENT_SECONDS): Promise<void> {
    while (!signal?.aborted) {
      const batches = await this.sql.rows<ClaimedBatch>(statements.CLAIM_DUE, [currentSeconds]);
      const [first] = batches;
      if (first === undefined) break;
      await this.rollUp(first, batches, signal);
    }
    await this.sql.rows(statements.DELETE_OLD_BATCHES);
  }

  /** A process that ends halfway leaves the claim, which expires, and another one starts over. */
  private async rollUp(
    { level, at }: ClaimedBatch,
    batches: readonly ClaimedBatch[],
    signal?: AbortSignal,
  ): Promise<void> {
    const slices = await this.slicesOf(level, at, batches);
    let changed = 0;
    for (let slice = 0; slice < slices; slice += 1) {
      if (signal?.aborted) return;
      const values = [level, at, slices, slice];
      const [row] = await this.sql.rows<{ rows: number }>(statements.ROLL_UP, values);
      changed += row?.rows ?? 0;
    }
    const writers = batches.map(({ writer }) => writer);
    const numbers = batches.map(({ batch }) => batch);
    await this.sql.rows(statements.FINISH, [level, at, writers, numbers, changed]);
  }

  /** Each slice reads all rows, so there should be no more than needed. */
  private async slicesOf(
    level: number,
    at: Date,
    batches: readonly ClaimedBatch[],
  ): Promise<number> {
    const written = batches.reduce((sum, { rows }) => sum + Number(rows), 0);
    if (written < SLICE_ROWS) return 1;
    const [counted] = await this.sql.rows<{ rows: number }>(statements.COUNT_ROWS, [level, at]);
    return Math.ceil(((counted?.rows ?? 0) + 1) / SLICE_ROWS);
  }
}
