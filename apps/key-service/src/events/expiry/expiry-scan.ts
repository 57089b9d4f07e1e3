/**
 * Announces keys that come within a threshold of the settings, and keys that expire. Each threshold has a
 * position among the expire times, and a scan reads only the keys between it and now, so its cost follows
 * what expires and not what exists.
 */
import { Sql } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { KeyServiceConfig } from '../../config.js';
import { KEY_KINDS } from '../../store/keys/key.types.js';
import { EXPIRED, ExpiryNotices } from './expiry-notices.js';
import * as statements from './expiry.sql.js';

interface ExpiringKey {
  keyId: string;
  expireTime: Date;
}

const BATCH = 500;
/** Every scan reads these again: keys that were committed late, or by a clock that is behind. */
const OVERLAP_MS = 600_000;
/** Longer than the overlap, so that no scan finds a key whose notices are deleted. */
const NOTICES_KEPT_MS = 7 * 86_400_000;

@Injectable()
export class ExpiryScan {
  /** Ascending; 0 is the expiry itself. */
  private readonly thresholds: readonly number[];

  constructor(
    private readonly sql: Sql,
    private readonly notices: ExpiryNotices,
    { expiringThresholdsSeconds }: KeyServiceConfig,
  ) {
    this.thresholds = [...new Set([EXPIRED, ...expiringThresholdsSeconds])].sort((a, b) => a - b);
  }

  /** Logs what is due, unless another replica is at it. */
  async run(signal?: AbortSignal, now = new Date()): Promise<void> {
    for (const [index, threshold] of this.thresholds.entries()) {
      const isDone = await this.scan(threshold, this.thresholds[index - 1] ?? 0, now, signal);
      if (!isDone) return;
    }
    const old = new Date(now.getTime() - NOTICES_KEPT_MS);
    await this.sql.rows(statements.DELETE_OLD_NOTICES, [old]);
  }

  /**
   * Scans one threshold up to now. The first scan ever begins where the next smaller threshold ends.
   *
   * @returns false if it ended early
   */
  private async scan(threshold: number, smaller: number, now: Date, signal?: AbortSignal) {
    const start = new Date(secondsAfter(now, smaller).getTime() + OVERLAP_MS);
    const [row] = await this.sql.rows<{ position: Date }>(statements.FIND_POSITION, [
      threshold,
      start,
    ]);
    const position = (row?.position ?? start).getTime() - OVERLAP_MS;
    // Keys that have expired meanwhile are expiring no more.
    const from = threshold === EXPIRED ? position : Math.max(position, now.getTime());
    const until = secondsAfter(now, threshold);
    for (const kind of KEY_KINDS) {
      let after: ExpiringKey | undefined = { keyId: '', expireTime: new Date(from) };
      while (after) {
        if (signal?.aborted) return false;
        const values = [kind, after.expireTime, after.keyId, until, threshold, BATCH];
        const keys: ExpiringKey[] = await this.sql.rows(statements.LIST_EXPIRING, values);
        const isDone = keys.length === 0 || (await this.announce(threshold, keys));
        if (!isDone) return false;
        after = keys[BATCH - 1];
      }
    }
    await this.sql.rows(statements.SAVE_POSITION, [threshold, until]);
    return true;
  }

  private announce(threshold: number, keys: readonly ExpiringKey[]): Promise<boolean> {
    const keyIds = keys.map(({ keyId }) => keyId);
    return this.notices.announce(keyIds, () => keyIds.map((keyId) => ({ keyId, threshold })));
  }
}

function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1_000);
}
