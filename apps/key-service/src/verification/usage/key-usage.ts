/**
 * Writes what was noted about the use of keys, and the events about it. An event is written in the
 * transaction that marks its key, so that of any number of replicas exactly one announces it.
 */
import { KeyUsageEvents } from '@gatehouse/schemas';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { KeyEventLog } from '../../events/key-event-log.js';
import { type LoggedChange } from '../../events/logged-change.js';
import { rateLimitPolicyView } from '../../store/keys/key.types.js';
import { keyOfRow, type KeyRecord, type KeyRow } from '../../store/keys/key.record.js';
import { balancesOf } from '../../store/credits/credits.repository.js';
import { FIND_EXHAUSTED, MARK_EXHAUSTED } from '../../store/credits/credits.sql.js';
import { type KeyUse, type RefusedCost } from './background-notes.js';
import * as statements from './usage.sql.js';

const RATE_LIMITED_INTERVAL_MS = 3_600_000;

@Injectable()
export class KeyUsage {
  constructor(
    private readonly sql: Sql,
    private readonly log: KeyEventLog,
  ) {}

  /**
   * Sets the last use of keys, unless a use within `intervalMs` before it is stored already. The
   * first use of a key that replaces another one is `key.rotation_completed`.
   */
  async record(uses: readonly KeyUse[], intervalMs: number): Promise<void> {
    // One order everywhere: replicas that write the same keys would deadlock otherwise.
    const inOrder = [...uses].sort(([a], [b]) => (a < b ? -1 : 1));
    const values = [...columnsOf(inOrder), intervalMs];
    const successors = await this.sql.rows<{ keyId: string }>(statements.TOUCH_LAST_USED, values);
    if (successors.length === 0) return;
    const found = new Set(successors.map(({ keyId }) => keyId));
    await this.completeRotations(inOrder.filter(([keyId]) => found.has(keyId)));
  }

  /** `key.rate_limited` for keys that had none in the hour before. */
  announceRateLimited(uses: readonly KeyUse[], now = new Date()): Promise<void> {
    const [keyIds] = columnsOf(uses);
    const anHourAgo = new Date(now.getTime() - RATE_LIMITED_INTERVAL_MS);
    return this.announce(async (sql) => {
      const rows = await sql.rows<KeyRow>(statements.LOCK_RATE_LIMITED, [keyIds, anHourAgo]);
      const found = rows.map(({ key_id: keyId }) => keyId);
      if (found.length > 0) await sql.rows(statements.SET_RATE_LIMIT_NOTICE, [found, now]);
      return rows.map(keyOfRow).map(rateLimited);
    });
  }

  /** `key.credits_exhausted` for keys whose balance lacks a cost, once until it gets credits. */
  async announceExhausted(refused: readonly RefusedCost[]): Promise<void> {
    const costs = new Map(refused);
    const paying = await this.sql.rows<{ keyId: string; accountId: string }>(
      statements.FIND_ACCOUNTS,
      [[...costs.keys()]],
    );
    // Most were announced long ago: to look takes no lock.
    const found = await this.sql.rows<{ position: number }>(FIND_EXHAUSTED, [
      paying.map(({ accountId }) => accountId),
      paying.map(({ keyId }) => costs.get(keyId)),
    ]);
    if (found.length === 0) return;
    await this.announce(async (sql) => {
      const keyIds = found.map(({ position }) => paying[position - 1]?.keyId);
      const rows = await sql.rows<KeyRow>(statements.LOCK_PAYING, [keyIds]);
      // Keys that share a balance are announced as one of them.
      const byAccount = new Map(rows.map((row) => [row.credit_account as string, row]));
      const accounts = [...byAccount.keys()].sort();
      const marked = await sql.rows<{ accountId: string }>(MARK_EXHAUSTED, [
        accounts,
        accounts.map((account) => costs.get(byAccount.get(account)?.key_id ?? '')),
      ]);
      const balances = await balancesOf(sql, accounts);
      return marked.flatMap(({ accountId }) => {
        const row = byAccount.get(accountId);
        const credits = balances.get(accountId) ?? null;
        return row ? [creditsExhausted({ ...keyOfRow(row), credits })] : [];
      });
    });
  }

  private completeRotations(uses: readonly KeyUse[]): Promise<void> {
    const [keyIds, times] = columnsOf(uses);
    return this.announce(async (sql) => {
      const rows = await sql.rows<KeyRow & { rotated_from: string }>(
        statements.LOCK_UNUSED_SUCCESSORS,
        [keyIds],
      );
      await sql.rows(statements.SET_FIRST_USE, [keyIds, times]);
      return rows.map((row) => ({
        type: KeyUsageEvents.rotationCompleted,
        key: keyOfRow(row),
        oldKeyId: row.rotated_from,
      }));
    });
  }

  private async announce(work: (sql: SqlExecutor) => Promise<LoggedChange[]>): Promise<void> {
    const count = await this.sql.transaction(async (sql) => {
      const changes = await work(sql);
      await this.log.write(sql, changes);
      return changes.length;
    });
    if (count > 0) this.log.wake();
  }
}

function columnsOf(uses: readonly KeyUse[]): [keyIds: string[], times: Date[]] {
  return [uses.map(([keyId]) => keyId), uses.map(([, atMs]) => new Date(atMs))];
}

function rateLimited(key: KeyRecord): LoggedChange {
  const { rateLimitPolicy: policy } = key;
  const details = { rate_limit_policy: policy && { ...rateLimitPolicyView(policy) } };
  return { type: KeyUsageEvents.rateLimited, key, details };
}

function creditsExhausted(key: KeyRecord): LoggedChange {
  const { remaining = 0, refill } = key.credits ?? {};
  const credits = { remaining: String(remaining), refill_time: refill?.at.toISOString() ?? null };
  return { type: KeyUsageEvents.creditsExhausted, key, details: { credits } };
}
