/**
 * Logs `directory.token_expiring` for tokens within a threshold of their expiry, and
 * `directory.token_expired` for those that have expired: once for each secret and threshold, however many
 * workers scan. Each token has the time of its next notice in an indexed column, so the cost follows what
 * becomes due.
 */
import { formatDuration } from '@gatehouse/kit/input';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { insertNotice } from '../directories/directory-notices.js';
import { type ScimTokenRepository } from '../scim-tokens/scim-token.repository.js';
import { type DueToken } from '../scim-tokens/scim-token.types.js';

/** Tokens in one transaction. */
const BATCH = 100;
/** The threshold of the expiry itself. */
const EXPIRED = 0;

export class TokenNotices {
  /** In seconds, the nearest to the expiry first. */
  private readonly thresholds: readonly number[];

  constructor(
    private readonly sql: Sql,
    private readonly tokens: ScimTokenRepository,
    thresholds: readonly number[],
  ) {
    this.thresholds = [...new Set([EXPIRED, ...thresholds])].sort((a, b) => a - b);
  }

  /** Logs what is due. */
  async run(signal?: AbortSignal, now = new Date()): Promise<void> {
    while (!signal?.aborted && (await this.runBatch(now)) === BATCH);
  }

  private runBatch(now: Date): Promise<number> {
    return this.sql.transaction(async (sql) => {
      const due = await this.tokens.lockDue(now, BATCH, sql);
      for (const token of due) {
        const threshold = this.reached(token, now);
        if (threshold !== undefined) await logNotice(sql, token, threshold);
      }
      const planned = due.map(({ id, directoryId, expiresAt }) => ({
        id,
        directoryId,
        nextNoticeAt: this.nextAfter(expiresAt, now),
      }));
      if (due.length > 0) await this.tokens.planNotices(planned, sql);
      return due.length;
    });
  }

  /** The reached notice that is nearest to the expiry: earlier ones add nothing. */
  private reached({ expiresAt, nextNoticeAt }: DueToken, now: Date): number | undefined {
    return this.thresholds.find((threshold) => {
      const at = timeOf(expiresAt, threshold);
      return at >= nextNoticeAt && at <= now;
    });
  }

  private nextAfter(expiresAt: Date, now: Date): Date | null {
    const times = this.thresholds.map((threshold) => timeOf(expiresAt, threshold));
    return times.findLast((time) => time > now) ?? null;
  }
}

function timeOf(expiresAt: Date, threshold: number): Date {
  return new Date(expiresAt.getTime() - threshold * 1_000);
}

function logNotice(sql: SqlExecutor, token: DueToken, threshold: number): Promise<void> {
  const { directoryId: id, directoryName: name, tenant, product } = token;
  const details = {
    token_id: token.id,
    token_name: token.name,
    expires_at: token.expiresAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    ...(threshold === EXPIRED ? {} : { threshold: formatDuration(threshold) }),
  };
  const type = threshold === EXPIRED ? 'directory.token_expired' : 'directory.token_expiring';
  return insertNotice(sql, type, { id, name, tenant, product }, details);
}
