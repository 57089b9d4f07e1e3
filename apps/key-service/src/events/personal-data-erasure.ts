/**
 * Removes the personal data of erased keys from the log of events, from the attempts to deliver them, from
 * the counts of usage and from portal sessions. Events and attempts have no index by key: each step reads
 * one day, for up to 500 keys, so that a step is short however long the log is. A second pass follows 20
 * minutes later: a delivery that read an event before the first one may log its payload after it, and a
 * process may still count verifications under the actor.
 */
import { Sql } from '@gatehouse/kit/sql';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { KeyServiceConfig } from '../config.js';
import * as statements from './erasure.sql.js';

const KEYS_MAX = 500;
/** Keys whose counts of a day are erased by one statement. */
const USAGE_KEYS_MAX = 50;

interface DueKey {
  readonly keyId: string;
  readonly day: string;
  /** On the last day only. */
  readonly actorId: string | null;
}

@Injectable()
export class PersonalDataErasure extends PeriodicWork {
  constructor(
    private readonly sql: Sql,
    { expiryScanIntervalSeconds }: KeyServiceConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      run: (signal) => this.run(signal),
      intervalMs: expiryScanIntervalSeconds * 1_000,
      logger,
      failureMessage: 'data of erased keys could not be erased',
    });
  }

  /** Erases all that is due. Replicas share the work. */
  async run(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted && (await this.eraseDay()));
  }

  /** @returns false if nothing was left to do */
  private eraseDay(): Promise<boolean> {
    return this.sql.transaction(async (sql) => {
      const due = await sql.rows<DueKey>(statements.LOCK_DUE, [KEYS_MAX]);
      const [first] = due;
      if (!first) return false;
      const keyIds = due.map(({ keyId }) => keyId);
      const erased = await sql.rows<{ id: string }>(statements.ERASE_EVENTS, [first.day, keyIds]);
      if (erased.length > 0) {
        await sql.rows(statements.ERASE_ATTEMPTS, [erased.map(({ id }) => id), first.day]);
      }
      for (let from = 0; from < keyIds.length; from += USAGE_KEYS_MAX) {
        const some = keyIds.slice(from, from + USAGE_KEYS_MAX);
        await sql.rows(statements.ERASE_USAGE, [first.day, some]);
      }
      for (const actorId of new Set(due.flatMap(({ actorId: id }) => id ?? []))) {
        await sql.rows(statements.ERASE_ACTOR, [actorId]);
      }
      await sql.rows(statements.ADVANCE, [keyIds, first.day]);
      return true;
    });
  }
}
