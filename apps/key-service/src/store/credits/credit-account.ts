import { Lease } from '../leases/lease.js';
import { type Balance, type CreditsRepository } from './credits.repository.js';

const SLICE_MAX = 10_000;
/** A refusal is repeated without PostgreSQL for so long. */
const REFUSAL_MS = 250;

/** The result of charging a verification to a credit balance. */
export interface CreditOutcome {
  readonly isAdmitted: boolean;
  readonly remaining: number;
  /** When the next refill is; null without one. */
  readonly refillAtMs: number | null;
}

interface Waiting {
  readonly cost: number;
  readonly resolve: (outcome: CreditOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Credits to give back. */
export interface Unspent {
  readonly accountId: string;
  readonly units: number;
  readonly period: string;
}

/**
 * The share of one balance that this process holds. One statement at a time charges all waiting
 * verifications, so that a hot balance occupies one connection, not all of them.
 */
export class CreditAccount {
  private balance: Balance | undefined;
  private refusedUntilMs = 0;
  private refusedCost = Infinity;
  /** How often credits were added here: what was read before may refuse too much. */
  private additions = 0;
  private waiting: Waiting[] = [];
  private isAsking = false;
  private isClosed = false;
  private readonly lease = new Lease();

  constructor(
    private readonly accountId: string,
    private readonly repository: CreditsRepository,
    private readonly onUnspent: (unspent: Unspent) => void,
  ) {}

  /** Spends from the lease, if it has as much. */
  spendLeased(cost: number): CreditOutcome | undefined {
    const nowMs = performance.now();
    if (cost >= this.refusedCost && nowMs < this.refusedUntilMs) return this.outcome(false);
    if (!this.lease.has(cost, nowMs)) return undefined;
    this.lease.spend(cost, nowMs);
    return this.outcome(true);
  }

  /** Spends with the next statement. */
  spend(cost: number): Promise<CreditOutcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ cost, resolve, reject });
      if (!this.isAsking) void this.ask();
    });
  }

  /** Checks the balance without charging it. */
  async look(cost: number): Promise<CreditOutcome> {
    const balance = await this.repository.read(this.accountId);
    const remaining = (balance?.remaining ?? 0) + this.lease.units;
    return {
      isAdmitted: remaining >= cost,
      remaining,
      refillAtMs: balance?.refillAtMs ?? null,
    };
  }

  /** Returns the lease if it has expired. */
  end(nowMs: number, { isLast = false } = {}): void {
    const { accountId, balance } = this;
    const units = this.lease.end(nowMs, { isLast });
    if (units > 0 && balance) this.onUnspent({ accountId, units, period: balance.period });
  }

  /** Credits were added: asks PostgreSQL before it refuses again. */
  allow(): void {
    this.additions += 1;
    this.refusedUntilMs = 0;
  }

  /** Leases nothing more, and gives back what is here or still comes. */
  close(): void {
    this.isClosed = true;
    this.end(performance.now(), { isLast: true });
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      this.refusedCost = Infinity;
      await this.take(batch);
    }
    this.isAsking = false;
    if (this.isClosed) this.end(performance.now(), { isLast: true });
  }

  /** Takes the cost of all, or halves the batch until it is known who has to be refused. */
  private async take(batch: readonly Waiting[]): Promise<void> {
    const admissible = batch.filter((each) => {
      if (each.cost < this.refusedCost) return true;
      each.resolve(this.outcome(false));
      return false;
    });
    const [first] = admissible;
    if (first === undefined) return;
    try {
      const cost = admissible.reduce((sum, each) => sum + each.cost, 0);
      if (await this.takeUnits(cost)) {
        for (const each of admissible) each.resolve(this.outcome(true));
        return;
      }
      if (admissible.length === 1) return await this.refuse(first);
    } catch (error) {
      for (const each of admissible) each.reject(error);
      return;
    }
    const middle = Math.ceil(admissible.length / 2);
    await this.take(admissible.slice(0, middle));
    await this.take(admissible.slice(middle));
  }

  /** Charges units and spends them in one turn, so that no other request can spend them. */
  private async takeUnits(cost: number): Promise<boolean> {
    const nowMs = performance.now();
    this.end(nowMs);
    if (this.lease.has(cost, nowMs)) {
      this.lease.spend(cost, nowMs);
      return true;
    }
    this.lease.addUse(cost, nowMs);
    const more = this.isClosed ? 0 : this.lease.slice(SLICE_MAX);
    const balance = await this.repository.spend(this.accountId, cost, more);
    if (balance === undefined) return false;
    const takenAtMs = performance.now();
    const isNewPeriod = this.balance !== undefined && this.balance.period !== balance.period;
    if (isNewPeriod) this.lease.end(takenAtMs, { isLast: true });
    this.lease.add(balance.granted - cost, takenAtMs);
    // A lease ends with its period.
    if (balance.refillInMs !== null) {
      this.lease.endBy(takenAtMs + Math.max(balance.refillInMs, 0));
    }
    this.balance = balance;
    return true;
  }

  private async refuse(one: Waiting): Promise<void> {
    const { additions } = this;
    const balance = await this.repository.read(this.accountId);
    if (balance) this.balance = balance;
    this.refusedCost = one.cost;
    if (balance?.isStrict === false && additions === this.additions) {
      const untilRefill = balance.refillInMs ?? REFUSAL_MS;
      this.refusedUntilMs = performance.now() + Math.min(REFUSAL_MS, Math.max(untilRefill, 0));
    }
    one.resolve(this.outcome(false));
  }

  private outcome(isAdmitted: boolean): CreditOutcome {
    const { remaining = 0, refillAtMs = null } = this.balance ?? {};
    return { isAdmitted, remaining: remaining + this.lease.units, refillAtMs };
  }
}
