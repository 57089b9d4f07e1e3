/**
 * Announces keys that come within thresholds of their own. Each key has the time of its next one in an
 * indexed column, so the cost follows what becomes due. Statements that set the thresholds or the expiry
 * set it as well.
 */
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { KeyServiceConfig } from '../../config.js';
import { ExpiryNotices, type ReachedThreshold } from './expiry-notices.js';
import * as statements from './expiry.sql.js';

/** Keys in a transaction; each may have ten thresholds. */
const BATCH = 100;

@Injectable()
export class OwnThresholdScan {
  constructor(
    private readonly sql: Sql,
    private readonly notices: ExpiryNotices,
    private readonly config: KeyServiceConfig,
  ) {}

  /** Announces what is due, unless another replica is at it. */
  async run(signal?: AbortSignal, now = new Date()): Promise<void> {
    while (!signal?.aborted) {
      const due = await this.sql.rows<{ keyId: string }>(statements.LIST_OWN_DUE, [now, BATCH]);
      if (due.length === 0) return;
      const keyIds = due.map(({ keyId }) => keyId);
      const isDone = await this.notices.announce(keyIds, (sql) => this.takeDue(sql, keyIds, now));
      if (!isDone || due.length < BATCH) return;
    }
  }

  private takeDue(sql: SqlExecutor, keyIds: readonly string[], now: Date) {
    const values = [keyIds, now, this.config.expiringThresholdsSeconds];
    return sql.rows<ReachedThreshold>(statements.TAKE_OWN_DUE, values);
  }
}
