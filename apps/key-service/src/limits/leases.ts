/**
 * Units of limits that this process has charged in Redis in advance, so that it can admit hot keys from
 * memory (ADR 0036). A lease has about as many units as were used in the second before, and ends after
 * a second; what is left of it is given back.
 */
import { LRUCache } from 'lru-cache';
import { type Bucket } from './limit-plan.js';

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
  /** Units used in the second that began at `secondMs`, and in the one before. */
  used: number;
  usedBefore: number;
  secondMs: number;
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
  private isClosed = false;

  /** The account of a bucket; made if needed. */
  accountOf(bucket: Bucket): Account {
    const known = this.accounts.get(bucket.leaseKey);
    if (known !== undefined) return known;
    const account = {
      ...{ bucket, units: 0, asked: 0, leasedAtMs: 0, remaining: 0, resetAtMs: 0 },
      ...{ used: 0, usedBefore: 0, secondMs: 0 },
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
    this.noteUse(account, units, nowMs);
  }

  /** How many units a call should lease; it has to be followed by `settle`. */
  ask(account: Account, units: number, nowMs: number): number {
    this.noteUse(account, units, nowMs);
    const expected = Math.max(account.used, account.usedBefore);
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
    if (account.units === 0) account.leasedAtMs = nowMs;
    account.units += lease.units;
    account.remaining = lease.remaining;
    account.resetAtMs = lease.resetAtMs;
    if (account.units > 0) this.lent.add(account);
  }

  /** Ends the leases that are over, or all of them for good, and returns what is left of them. */
  end(nowMs: number, { isLast = false } = {}): Rest[] {
    this.isClosed ||= isLast;
    const ended = [...this.lent].filter((each) => isLast || !this.has(each, 0, nowMs));
    return ended.map((account) => {
      const { bucket, units, leasedAtMs } = account;
      account.units = 0;
      this.lent.delete(account);
      return { bucket, units, leasedAtMs };
    });
  }

  private noteUse(account: Account, units: number, nowMs: number): void {
    if (nowMs - account.secondMs >= LEASE_MS || nowMs < account.secondMs) {
      const isNext = nowMs - account.secondMs < 2 * LEASE_MS;
      account.usedBefore = isNext ? account.used : 0;
      account.used = 0;
      account.secondMs = nowMs;
    }
    account.used += units;
  }
}
