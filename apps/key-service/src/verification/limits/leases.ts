/**
 * Units of limits that this process has charged in Redis in advance, so that it can admit hot keys from
 * memory (ADR 0036). A lease has about as many units as were used in the second before, and ends after
 * a second; what is left of it is given back.
 */
import { LRUCache } from 'lru-cache';
import { type Bucket } from './limit-plan.js';
import { RecentUse } from '../../store/credits/recent-use.js';

const LEASE_MS = 1_000;
/** Fewer verifications in a second are not worth a lease. */
const HOT_MIN = 4;
const BUCKETS_MAX = 10_000;

/** What this process knows of a bucket. */
export interface Account {
  readonly bucket: Bucket;
  /** Units that are left of the lease. */
  units: number;
  /** Units that calls under way ask for: together they stay within the slice. */
  asked: number;
  leasedAtMs: number;
  /** What Redis had left when the lease was taken, and when it will be full. */
  remaining: number;
  resetAtMs: number;
  resetTime: string;
  readonly use: RecentUse;
}

/** Units to give back, and when they were charged. */
export interface Rest {
  readonly bucket: Bucket;
  readonly units: number;
  readonly leasedAtMs: number;
}

export class Leases {
  private readonly accounts = new LRUCache<string, Account>({
    max: BUCKETS_MAX,
    dispose: (account) => this.lent.delete(account),
  });
  /** Those with units. One that is evicted loses them: less is admitted, never more. */
  private readonly lent = new Set<Account>();
  /** To be given back. */
  private readonly ended: Rest[] = [];
  private isClosed = false;

  /** The account of a bucket; made if needed. */
  accountOf(bucket: Bucket): Account {
    const known = this.accounts.get(bucket.leaseKey);
    if (known !== undefined) return known;
    const account = {
      bucket,
      units: 0,
      asked: 0,
      leasedAtMs: 0,
      remaining: 0,
      resetAtMs: 0,
      resetTime: '',
      use: new RecentUse(),
    };
    this.accounts.set(bucket.leaseKey, account);
    return account;
  }

  /** Whether the lease has these units now. */
  has(account: Account, units: number, nowMs: number): boolean {
    const ageMs = nowMs - account.leasedAtMs;
    return account.units >= units && ageMs < LEASE_MS && ageMs >= 0;
  }

  /** Takes units that `has` has found. */
  spend(account: Account, units: number, nowMs: number): void {
    account.units -= units;
    if (account.units === 0) this.lent.delete(account);
    account.use.note(units, nowMs);
  }

  /** How many units a call should lease; it has to be followed by `settle`. */
  ask(account: Account, units: number, nowMs: number): number {
    this.endIfOver(account, nowMs);
    account.use.note(units, nowMs);
    const { expected } = account.use;
    if (expected < HOT_MIN || this.isClosed) return 0;
    const slice = Math.min(expected, account.bucket.sliceMax);
    const asked = Math.max(slice - account.units - account.asked, 0);
    account.asked += asked;
    return asked;
  }

  /** Keeps what Redis has charged. It ends with what is here already. */
  settle(
    account: Account,
    asked: number,
    lease: Pick<Account, 'units' | 'remaining' | 'resetAtMs'> | undefined,
    nowMs: number,
  ): void {
    account.asked -= asked;
    if (lease === undefined) return;
    this.endIfOver(account, nowMs);
    if (account.units === 0) account.leasedAtMs = nowMs;
    account.units += lease.units;
    account.remaining = lease.remaining;
    account.resetAtMs = lease.resetAtMs;
    account.resetTime = new Date(lease.resetAtMs).toISOString();
    if (account.units > 0) this.lent.add(account);
  }

  /** Ends the leases that are over, or all of them for good, and returns what is left of them. */
  end(nowMs: number, { isLast = false } = {}): Rest[] {
    this.isClosed ||= isLast;
    for (const account of this.lent) {
      if (isLast) this.endOne(account);
      else this.endIfOver(account, nowMs);
    }
    return this.ended.splice(0);
  }

  private endIfOver(account: Account, nowMs: number): void {
    if (account.units > 0 && !this.has(account, 0, nowMs)) this.endOne(account);
  }

  private endOne(account: Account): void {
    const { bucket, units, leasedAtMs } = account;
    this.ended.push({ bucket, units, leasedAtMs });
    account.units = 0;
    this.lent.delete(account);
  }
}
