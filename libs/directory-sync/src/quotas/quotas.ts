/**
 * Quotas of directories, shared by all processes (ADR 0024). A process reserves blocks of a quota in
 * the database before it writes and spends them in memory, so that few writes cost a statement. The
 * blocks get smaller as the quota is used up, so that any process can use the last of it.
 */
import { ScimError } from '@gatehouse/scim';
import { type Sql, sqlFault } from '@gatehouse/kit/sql';
import { PeriodicTask } from '@gatehouse/kit/tasks';
import { type SyncLogger } from '../sync-logger.js';
import { QuotaRepository } from './quota.repository.js';
import {
  eachUsage,
  isNothing,
  least,
  minus,
  NO_USAGE,
  plus,
  type Usage,
  USAGE_NAMES,
} from './usage.js';

/** Changes of resources are accepted up to this part of the bytes. */
const CHANGES_MAX = 1.1;
const IDLE_MS = 60_000;
/** More than this is given back: two blocks, or two shares of what is left. */
const CREDIT_MAX: Usage = { users: 2_000, groups: 2_000, bytes: 128 * 1024 * 1024 };
const CREDIT_SHARE = 8;

/** The reservation of this process for one directory. */
interface Account {
  /** Reserved and not used. */
  credit: Usage;
  /** The quota left at the last read; below zero if exceeded. */
  left: Usage | undefined;
  /**
   * Ends when no write waits for a grant: simultaneous writes share one instead of one each. Rejects if
   * the database fails.
   */
  granting: Promise<void>;
  isIdle: boolean;
}

export class Quotas {
  private readonly repository: QuotaRepository;
  private readonly accounts = new Map<string, Account>();
  private readonly idling: PeriodicTask;

  constructor(
    sql: Sql,
    private readonly limits: Usage,
    private readonly logger: SyncLogger,
  ) {
    this.repository = new QuotaRepository(sql, limits);
    this.idling = new PeriodicTask({
      run: () => this.closeAccounts(({ isIdle }) => isIdle),
      intervalMs: IDLE_MS,
      logger,
      failureMessage: UNSETTLED,
    });
    this.idling.start();
  }

  /**
   * Runs a write for which the quota must have room. A change of a resource may exceed the bytes by
   * a tenth, so that users of a full directory can still be suspended.
   *
   * @param expected what the write will add; its bytes may be an estimate
   * @param addedBy what it has added; less than nothing if it has freed something
   * @throws ScimError 413 if the quota is used up
   */
  async spend<T>(
    directoryId: string,
    expected: Usage,
    write: () => Promise<T>,
    addedBy: (result: T) => Usage,
  ): Promise<T> {
    await this.reserve(directoryId, expected);
    let added = expected;
    try {
      const result = await write();
      added = addedBy(result);
      return result;
    } catch (error) {
      // An error of PostgreSQL means that nothing was written; after other errors it is unknown.
      const isUnwritten = error instanceof ScimError || sqlFault(error).code !== undefined;
      if (isUnwritten) added = NO_USAGE;
      throw error;
    } finally {
      await this.settle(directoryId, minus(expected, added));
    }
  }

  /** Counts a difference to what was expected. Never throws: the write has happened. */
  async settle(directoryId: string, freed: Usage): Promise<void> {
    const account = this.accountOf(directoryId);
    account.credit = plus(account.credit, freed);
    const debt = eachUsage((name) => Math.max(-account.credit[name], 0));
    const surplus = eachUsage((name) => surplusOf(account, name));
    try {
      if (!isNothing(debt)) await this.grant(directoryId, account, debt, { isForced: true });
      if (!isNothing(surplus)) await this.giveBack(directoryId, account, surplus);
    } catch (error) {
      this.logger.warn({ err: error, directoryId }, UNSETTLED);
    }
  }

  /** Gives everything back that was reserved and not used. */
  async close(): Promise<void> {
    await this.idling.stop();
    await this.closeAccounts(() => true);
  }

  private async reserve(directoryId: string, need: Usage): Promise<void> {
    const account = this.accountOf(directoryId);
    if (isNothing(need)) return this.checkChange(directoryId, account);
    if (take(account, need)) return;
    const granted = account.granting.then(async () => {
      if (!take(account, need)) await this.reserveMore(directoryId, account, need);
    });
    account.granting = granted.catch(ignoreRefusal);
    // What waits now fails too, instead of waiting for the same fault again; what comes later tries.
    account.granting.catch(() => {
      account.granting = Promise.resolve();
    });
    await granted;
  }

  private async reserveMore(directoryId: string, account: Account, need: Usage): Promise<void> {
    // Taken before anything is awaited: other writes of this process reserve for themselves.
    const taken = least(account.credit, need);
    account.credit = minus(account.credit, taken);
    const missing = minus(need, taken);
    const isGranted =
      (await this.grant(directoryId, account, missing)) ||
      (await this.grant(directoryId, account, missing, { isExact: true })) ||
      ((await this.recount(directoryId)) &&
        (await this.grant(directoryId, account, missing, { isExact: true })));
    if (isGranted) {
      account.credit = minus(account.credit, missing);
      return;
    }
    account.credit = plus(account.credit, taken);
    await this.refuse(directoryId, missing);
  }

  private async grant(
    directoryId: string,
    account: Account,
    need: Usage,
    options?: { isExact?: boolean; isForced?: boolean },
  ): Promise<boolean> {
    const grant = await this.repository.reserve(directoryId, need, options);
    if (!grant) return false;
    account.credit = plus(account.credit, grant.granted);
    account.left = minus(this.limits, grant.reserved);
    return true;
  }

  private async giveBack(directoryId: string, account: Account, usage: Usage): Promise<void> {
    account.credit = minus(account.credit, usage);
    const found = await this.repository.giveBack(directoryId, usage);
    if (found) account.left = minus(this.limits, found.reserved);
  }

  private async recount(directoryId: string): Promise<boolean> {
    try {
      return await this.repository.recount(directoryId);
    } catch (error) {
      this.logger.warn({ err: error, directoryId }, 'the usage of a directory was not counted');
      return false;
    }
  }

  private async checkChange(directoryId: string, account: Account): Promise<void> {
    const excess = this.limits.bytes * (CHANGES_MAX - 1);
    if ((account.left?.bytes ?? 0) >= -excess) return;
    const found = await this.repository.find(directoryId);
    if (!found) return;
    account.left = minus(this.limits, found.reserved);
    if (account.left.bytes + account.credit.bytes < -excess) this.throwFull('bytes');
  }

  /** Throws unless the directory is gone, which the write finds out itself. */
  private async refuse(directoryId: string, missing: Usage): Promise<void> {
    const found = await this.repository.find(directoryId);
    if (!found) return;
    const wanted = plus(found.reserved, missing);
    const isFull = (name: keyof Usage) => missing[name] > 0 && wanted[name] > this.limits[name];
    this.throwFull(USAGE_NAMES.find(isFull) ?? 'bytes');
  }

  private throwFull(name: keyof Usage): never {
    const detail = `The directory may have at most ${this.limits[name]} ${name}. Delete some first.`;
    throw new ScimError(413, undefined, detail);
  }

  private async closeAccounts(isDue: (account: Account) => boolean): Promise<void> {
    for (const [directoryId, account] of this.accounts) {
      if (!isDue(account)) {
        account.isIdle = true;
        continue;
      }
      this.accounts.delete(directoryId);
      if (!isNothing(account.credit)) await this.giveBack(directoryId, account, account.credit);
    }
  }

  private accountOf(directoryId: string): Account {
    const account = this.accounts.get(directoryId) ?? {
      credit: NO_USAGE,
      left: undefined,
      granting: Promise.resolve(),
      isIdle: false,
    };
    account.isIdle = false;
    this.accounts.set(directoryId, account);
    return account;
  }
}

const UNSETTLED = 'the reserved quota of a directory could not be settled';

/** Takes what a write needs from the credit if all of it is there. */
function take(account: Account, need: Usage): boolean {
  if (!isNothing(minus(need, least(account.credit, need)))) return false;
  account.credit = minus(account.credit, need);
  return true;
}

/** A refusal concerns one write; any other error concerns the database. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ScimError)) throw error;
}

/** Near the end of a quota, all that was freed is given back for other processes to use. */
function surplusOf({ credit, left }: Account, name: keyof Usage): number {
  const share = left === undefined ? Infinity : Math.max(left[name] / CREDIT_SHARE, 0);
  const most = Math.min(CREDIT_MAX[name], share);
  return credit[name] > most ? credit[name] : 0;
}
