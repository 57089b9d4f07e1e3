/** The states of limits, from what Redis or a lease knows of them. */
import { type Account } from './leases.js';
import { type LimitState } from './limit-outcome.js';
import { type Bucket } from './limit-plan.js';

/** Until a bucket that could not be counted is worth another try. */
const UNCOUNTED_SECONDS = 1;

/** Whole units that a bucket with this backlog has left. */
export function remainingUnits({ burst, unitMicros }: Bucket, backlogMicros: number): bigint {
  // A millionth of a unit is what rounding may have added.
  const left = burst - BigInt(Math.ceil(backlogMicros / unitMicros - 1e-6));
  return left > 0n ? left : 0n;
}

/** @param refusedCost what was not charged, because a limit refused; otherwise 0 */
export function countedState(
  bucket: Bucket,
  backlogMicros: number,
  leasedUnits: number,
  refusedCost: number,
): LimitState {
  const { burst, unitMicros } = bucket;
  const excessUnits = backlogMicros / unitMicros + refusedCost - Number(burst);
  const isExceeded = refusedCost > 0 && excessUnits > 0.001;
  const isPossible = BigInt(refusedCost) <= burst;
  const remaining = remainingUnits(bucket, backlogMicros) + BigInt(leasedUnits);
  return stateOf(bucket, {
    remaining: remaining.toString(),
    resetTime: timeAfter(backlogMicros / 1000),
    resetAfterMs: backlogMicros / 1000,
    isExceeded,
    retryAfterMs: isExceeded && isPossible ? (excessUnits * unitMicros) / 1000 : undefined,
  });
}

/** @returns RFC 3339 */
export function timeAfter(ms: number): string {
  return new Date(Date.now() + Math.ceil(ms)).toISOString();
}

export function leasedState(account: Account, nowMs: number): LimitState {
  const { bucket, lease, remaining, resetAtMs, resetTime } = account;
  return stateOf(bucket, {
    remaining: String(remaining + lease.units),
    resetTime,
    resetAfterMs: resetAtMs - nowMs,
    isExceeded: false,
    retryAfterMs: undefined,
  });
}

export function uncountedState(bucket: Bucket, isExceeded: boolean): LimitState {
  const retryAfterMs = isExceeded ? UNCOUNTED_SECONDS * 1000 : undefined;
  return stateOf(bucket, {
    remaining: undefined,
    resetTime: undefined,
    resetAfterMs: 0,
    isExceeded,
    retryAfterMs,
  });
}

type Measured = Pick<LimitState, 'remaining' | 'resetTime' | 'isExceeded' | 'retryAfterMs'> & {
  readonly resetAfterMs: number;
};

function stateOf(bucket: Bucket, measured: Measured): LimitState {
  const { remaining, resetTime, resetAfterMs, isExceeded, retryAfterMs } = measured;
  return {
    name: bucket.name,
    quota: bucket.quota,
    remaining,
    resetTime,
    resetAfterSeconds: Math.max(1, Math.ceil(resetAfterMs / 1000)),
    isExceeded,
    retryAfterMs,
  };
}
