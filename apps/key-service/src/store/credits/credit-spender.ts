/**
 * Spends the credits of keys (ADR 0037). The balance is a row of PostgreSQL; a process takes credits of
 * hot balances in advance, by the same statement, and spends them from memory for a second.
 */
import { PeriodicTask } from '@gatehouse/kit/tasks';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnModuleInit,
} from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Logger } from 'pino';
import { CreditAccount, type CreditOutcome, type Unspent } from './credit-account.js';
import { CreditsRepository } from './credits.repository.js';

const ACCOUNTS_MAX = 10_000;
const END_INTERVAL_MS = 250;
/** Leases that are given back at once. */
const GIVE_BACKS_MAX = 4;

@Injectable()
export class CreditSpender implements OnModuleInit, BeforeApplicationShutdown {
  private readonly accounts = new LRUCache<string, CreditAccount>({
    max: ACCOUNTS_MAX,
    dispose: (account) => account.close(),
  });
  private unspent: Unspent[] = [];
  private isClosed = false;
  private readonly ending: PeriodicTask;

  constructor(
    private readonly repository: CreditsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.ending = new PeriodicTask({
      run: () => this.endLeases(false),
      intervalMs: END_INTERVAL_MS,
      logger,
      failureMessage: LOST,
    });
  }

  onModuleInit(): void {
    this.ending.start();
  }

  /** While PostgreSQL is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    await this.ending.stop();
    for (const account of this.accounts.values()) account.close();
    await this.endLeases(true);
  }

  /**
   * Spends what a verification costs: at once from a lease, otherwise with a statement. A peek, and a
   * cost of 0, only look.
   *
   * @throws when PostgreSQL cannot be reached; then it is unknown whether the credits were taken
   */
  spend(accountId: string, cost: number, isPeek: boolean): CreditOutcome | Promise<CreditOutcome> {
    const account = this.accountOf(accountId);
    if (isPeek || cost === 0) return account.look(isPeek ? cost : 0);
    return account.spendLeased(cost) ?? account.spend(cost);
  }

  /** To call after credits were added and committed: this process does not repeat a refusal. */
  allow(accountId: string): void {
    this.accounts.get(accountId)?.allow();
  }

  private accountOf(accountId: string): CreditAccount {
    const known = this.accounts.get(accountId);
    if (known !== undefined) return known;
    const account = new CreditAccount(accountId, this.repository, (unspent) =>
      this.unspent.push(unspent),
    );
    if (this.isClosed) account.close();
    this.accounts.set(accountId, account);
    return account;
  }

  private async endLeases(isLast: boolean): Promise<void> {
    const nowMs = performance.now();
    for (const account of this.accounts.values()) account.end(nowMs, { isLast });
    const unspent = this.unspent;
    this.unspent = [];
    for (let from = 0; from < unspent.length; from += GIVE_BACKS_MAX) {
      const some = unspent.slice(from, from + GIVE_BACKS_MAX);
      const given = await Promise.all(some.map((each) => this.giveBack(each)));
      if (given.every(Boolean)) continue;
      // PostgreSQL may be away: what was not sent waits for it, but a process that stops does not.
      const rest = unspent.slice(from + GIVE_BACKS_MAX);
      if (!isLast) this.unspent.unshift(...rest.slice(0, ACCOUNTS_MAX));
      else if (rest.length > 0) this.logger.warn({ accounts: rest.length }, LOST);
      return;
    }
  }

  private async giveBack({ accountId, units, period }: Unspent): Promise<boolean> {
    try {
      await this.repository.giveBack(accountId, units, period);
      return true;
    } catch (error) {
      // Not repeated: if the answer was lost, the credits would be there twice.
      this.logger.warn({ err: error, accountId, units }, LOST);
      return false;
    }
  }
}

const LOST = 'leased credits were not given back';
