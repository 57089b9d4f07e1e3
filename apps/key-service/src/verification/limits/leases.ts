/**
 * Units of limits that this process has charged in Redis in advance, so that it can admit hot keys from
 * memory (ADR 0036). A lease has about as many units as were used in the second before, and ends after
 * a second; what is left of it is given back.
 */
import { LRUCache } from 'lru-cache';
import { Lease } from '../../store/leases/lease.js';
import { type Bucket } from './limit-plan.js';

const BUCKETS_MAX = 10_000;

/** The state of a bucket in this process. */
export interface Account {
  readonly bucket: Bucket;
  readonly lease: Lease;
  /** Units that calls under way ask for: together they stay within the slice. */
  asked: number;
  /** Units left in Redis when the lease was taken, and when the bucket is full. */
  remaining: number;
  resetAtMs: number;
  resetTime: string;
}

/** What Redis has charged in advance. */
export interface Charged {
  readonly units: number;
  readonly remaining: number;
  readonly resetAtMs: number;
  readonly resetTime: string;
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
  /** Accounts that hold leased units. Eviction forfeits them, which can only under-admit. */
  private readonly lent = new Set<Account>();
  /** Rests of ended leases, to return. */
  private readonly ended: Rest[] = [];
  private isClosed = false;

  /** The account of a bucket, created on demand. */
  accountOf(bucket: Bucket): Account {
    const known = this.accounts.get(bucket.leaseKey);
    if (known !== undefined) return known;
    const account = {
      bucket,
      lease: new Lease(),
      asked: 0,
      remaining: 0,
      resetAtMs: 0,
      resetTime: '',
    };
    this.accounts.set(bucket.leaseKey, account);
    return account;
  }

  /** Spends units that the lease has. */
  spend(account: Account, units: number, nowMs: number): void {
    account.lease.spend(units, nowMs);
    if (account.lease.units === 0) this.lent.delete(account);
  }

  /** How many units a call should lease; it has to be followed by `settle`. */
  ask(account: Account, units: number, nowMs: number): number {
    const { lease, bucket } = account;
    this.end(account, nowMs);
    lease.addUse(units, nowMs);
    const slice = this.isClosed ? 0 : lease.slice(bucket.sliceMax);
    const asked = Math.max(slice - lease.units - account.asked, 0);
    account.asked += asked;
    return asked;
  }

  /** Keeps what Redis has charged. It ends with what is here already. */
  settle(account: Account, asked: number, charged: Charged | undefined, nowMs: number): void {
    account.asked -= asked;
    if (charged === undefined) return;
    this.end(account, nowMs);
    account.lease.add(charged.units, nowMs);
    account.remaining = charged.remaining;
    account.resetAtMs = charged.resetAtMs;
    account.resetTime = charged.resetTime;
    if (account.lease.units > 0) this.lent.add(account);
  }

  /** Ends the leases that are over, or all of them for good, and returns what is left of them. */
  endAll(nowMs: number, { isLast = false } = {}): Rest[] {
    this.isClosed ||= isLast;
    for (const account of this.lent) this.end(account, nowMs, { isLast });
    return this.ended.splice(0);
  }

  private end(account: Account, nowMs: number, { isLast = false } = {}): void {
    const { bucket, lease } = account;
    const leasedAtMs = lease.startedAtMs;
    const units = lease.end(nowMs, { isLast });
    if (units === 0) return;
    this.ended.push({ bucket, units, leasedAtMs });
    this.lent.delete(account);
  }
}
