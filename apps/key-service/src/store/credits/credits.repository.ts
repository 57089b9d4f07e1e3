import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { Semaphore } from '@gatehouse/kit/tasks';
import { Injectable } from '@nestjs/common';
import { type Credits } from './credit.types.js';
import * as statements from './credits.sql.js';

/** Statements of verifications at once, so that balances leave connections to everything else. */
const STATEMENTS_MAX = 4;

/** A balance after a statement. */
export interface Balance {
  readonly remaining: number;
  /** Leases of an earlier period are not given back. */
  readonly period: string;
  readonly isStrict: boolean;
  /** Null without a refill. */
  readonly refillAtMs: number | null;
  readonly refillInMs: number | null;
}

interface BalanceRow {
  accountId: string;
  remaining: number;
  isStrict: boolean;
  /** Null, as the two others, without a refill. */
  amount: number | null;
  intervalSeconds: number | null;
  refillAt: Date | null;
}

/** Balances by account, with the refills that are due. */
export async function balancesOf(
  sql: SqlExecutor,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, Credits>> {
  const rows = await sql.rows<BalanceRow>(statements.FIND_BALANCES, [accountIds]);
  return new Map(rows.map((row) => [row.accountId, creditsOfRow(row)]));
}

function creditsOfRow(row: BalanceRow): Credits {
  const { remaining, isStrict, amount, intervalSeconds, refillAt: at } = row;
  const hasRefill = amount !== null && intervalSeconds !== null && at !== null;
  return { remaining, isStrict, refill: hasRefill ? { amount, intervalSeconds, at } : null };
}

/** The rows of keys.credits. */
@Injectable()
export class CreditsRepository {
  private readonly turns = new Semaphore({
    max: STATEMENTS_MAX,
    waitMsMax: statements.SPEND_TIMEOUT_MS,
    refusal: () => new DomainError(KitErrors.UNAVAILABLE, { retryAfterSeconds: 1 }),
  });

  constructor(private readonly sql: Sql) {}

  /**
   * Takes what is needed, and up to `more` in advance.
   *
   * @returns undefined, with nothing taken, if there is not as much
   */
  async spend(
    accountId: string,
    needed: number,
    more: number,
  ): Promise<(Balance & { granted: number }) | undefined> {
    const values = [accountId, needed, Math.max(more, needed)];
    const [row] = await this.turns.run(() =>
      this.sql.rows<Balance & { granted: number }>(statements.SPEND, values),
    );
    return row;
  }

  async read(accountId: string): Promise<Balance | undefined> {
    const [row] = await this.turns.run(() => this.sql.rows<Balance>(statements.READ, [accountId]));
    return row;
  }

  async giveBack(accountId: string, units: number, period: string): Promise<void> {
    await this.sql.rows(statements.GIVE_BACK, [accountId, units, period]);
  }

  async set(sql: SqlExecutor, accountId: string, credits: Credits): Promise<void> {
    const { remaining, refill, isStrict } = credits;
    const schedule = [refill?.amount, refill?.intervalSeconds, refill?.at];
    await sql.rows(statements.SET, [accountId, remaining, ...schedule, isStrict]);
  }

  /** @returns `repeated` if the request id was used before, `full` beyond the largest balance */
  async add(
    sql: SqlExecutor,
    accountId: string,
    amount: number,
    requestId: string | null,
  ): Promise<'added' | 'repeated' | 'full'> {
    const added = await sql.rows(statements.ADD, [accountId, amount, requestId]);
    if (added.length > 0) return 'added';
    const repeated = await sql.rows(statements.FIND_REQUEST, [accountId, requestId]);
    return repeated.length > 0 ? 'repeated' : 'full';
  }
}
