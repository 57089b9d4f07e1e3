/**
 * Removes the personal data of erased keys from the log of events and from the attempts to deliver
 * them. Neither has an index by key: each step reads one day, for up to 500 keys, so that a step is
 * short however long the log is. A second pass follows 20 minutes later: a delivery that read an event
 * before the first one may log its payload after it.
 */
import { LOGGER, PeriodicTask, Sql } from '@gatehouse/service-kit';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Logger } from 'pino';
import { KeyServiceConfig } from '../config.js';
import * as statements from './erasure.sql.js';

const KEYS_MAX = 500;

@Injectable()
export class EventErasure implements OnModuleInit, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    private readonly sql: Sql,
    { expiryScanIntervalSeconds }: KeyServiceConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.task = new PeriodicTask({
      run: (signal) => this.run(signal),
      intervalMs: expiryScanIntervalSeconds * 1_000,
      logger,
      failureMessage: 'events of erased keys could not be erased',
    });
  }

  onModuleInit(): void {
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** Erases all that is due. Replicas share the work. */
  async run(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted && (await this.eraseDay()));
  }

  /** @returns false if nothing was left to do */
  private eraseDay(): Promise<boolean> {
    return this.sql.transaction(async (sql) => {
      const due = await sql.rows<{ keyId: string; day: string }>(statements.LOCK_DUE, [KEYS_MAX]);
      const [first] = due;
      if (!first) return false;
      const keyIds = due.map(({ keyId }) => keyId);
      const erased = await sql.rows<{ id: string }>(statements.ERASE_EVENTS, [first.day, keyIds]);
      if (erased.length > 0) {
        await sql.rows(statements.ERASE_ATTEMPTS, [erased.map(({ id }) => id), first.day]);
      }
      await sql.rows(statements.ADVANCE, [keyIds, first.day]);
      return true;
    });
  }
}
