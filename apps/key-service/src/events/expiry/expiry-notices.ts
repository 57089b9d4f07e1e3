/**
 * Logs `key.expiring` for keys within a threshold of their expiry, and `key.expired` for keys that have
 * expired: once for each key and threshold, however many replicas scan.
 */
import { KeyExpiryEvents } from '@gatehouse/schemas';
import { formatDuration } from '@gatehouse/kit/input';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { KeyEventLog } from '../key-event-log.js';
import { type LoggedChange } from '../logged-change.js';
import { keyOfRow, type KeyRecord, type KeyRow } from '../../store/keys/key.record.js';
import * as statements from './expiry.sql.js';

/** The threshold of the expiry itself. */
export const EXPIRED = 0;

/** A key that has reached a threshold, in seconds before its expiry. */
export interface ReachedThreshold {
  readonly keyId: string;
  readonly threshold: number;
}

interface Notice {
  readonly key: KeyRecord;
  readonly threshold: number;
}

@Injectable()
export class ExpiryNotices {
  constructor(
    private readonly sql: Sql,
    private readonly log: KeyEventLog,
  ) {}

  /**
   * Locks the keys, and announces what `reached` returns of those that are not revoked.
   *
   * @param reached is called in the transaction that writes the events
   * @returns false if another replica is scanning
   */
  async announce(
    keyIds: readonly string[],
    reached: (sql: SqlExecutor) => readonly ReachedThreshold[] | Promise<ReachedThreshold[]>,
  ): Promise<boolean> {
    const isDone = await this.sql.transaction(async (sql) => {
      const [lock] = await sql.rows<{ isHeld: boolean }>(statements.TRY_LOCK);
      if (!lock?.isHeld) return false;
      const rows = await sql.rows<KeyRow>(statements.LOCK_LIVE, [keyIds]);
      const keys = new Map(rows.map((row) => [row.key_id, keyOfRow(row)]));
      const notices = await this.insertNotices(sql, keys, await reached(sql));
      await this.log.write(sql, notices.map(changeOf));
      return true;
    });
    this.log.wake();
    return isDone;
  }

  /** The notices that are new, in the order in which the thresholds were reached. */
  private async insertNotices(
    sql: SqlExecutor,
    keys: ReadonlyMap<string, KeyRecord>,
    reached: readonly ReachedThreshold[],
  ): Promise<Notice[]> {
    const live = reached.filter(({ keyId }) => keys.has(keyId));
    const added = await sql.rows<ReachedThreshold>(statements.INSERT_NOTICES, [
      live.map(({ keyId }) => keyId),
      live.map(({ threshold }) => threshold),
      live.map(({ keyId }) => keys.get(keyId)?.expireTime),
    ]);
    return added
      .map(({ keyId, threshold }) => ({ key: keys.get(keyId) as KeyRecord, threshold }))
      .sort((a, b) => reachedAt(a) - reachedAt(b));
  }
}

function reachedAt({ key, threshold }: Notice): number {
  return Number(key.expireTime) - threshold * 1_000;
}

function changeOf({ key, threshold }: Notice): LoggedChange {
  return threshold === EXPIRED
    ? { type: KeyExpiryEvents.expired, key }
    : { type: KeyExpiryEvents.expiring, key, details: { threshold: formatDuration(threshold) } };
}
