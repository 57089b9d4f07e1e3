/** The credits of a key, as a request sets them. */
import { type InputReader, millisecondsOf } from '@gatehouse/kit/input';
import { type Credits, CREDITS_MAX, type Refill } from '../../store/credits/credit.types.js';
import { readDuration, readInt64 } from './key-fields.js';

const INTERVAL_SECONDS_MIN = 60;
const INTERVAL_SECONDS_MAX = 366 * 86_400;
const AHEAD_MS_MAX = INTERVAL_SECONDS_MAX * 1000;

/** `credits {remaining, refill, strict}` of a new key; null when unset. */
export function readCredits(body: InputReader): Credits | null {
  const credits = body.child('credits');
  return credits === undefined ? null : readBalance(credits);
}

/** A balance; without `remaining`, it begins with the amount of the refill. */
export function readBalance(credits: InputReader): Credits {
  const refill = readRefill(credits);
  const isStrict = credits.boolean('strict') ?? false;
  if (credits.raw('remaining') !== undefined) {
    return { remaining: readAmount(credits, 'remaining', 0), refill, isStrict };
  }
  if (refill === null) credits.addViolation('remaining', 'must be set', undefined);
  return { remaining: refill?.amount ?? 0, refill, isStrict };
}

/** A whole number, also as text. */
export function readAmount(body: InputReader, name: string, min: 0 | 1): number {
  return Number(readInt64(body, name, BigInt(min), BigInt(CREDITS_MAX)));
}

function readRefill(credits: InputReader): Refill | null {
  const refill = credits.child('refill');
  if (refill === undefined) return null;
  const amount = readAmount(refill, 'amount', 1);
  const intervalSeconds = readDuration(refill, 'interval', INTERVAL_SECONDS_MAX);
  const isUnset = refill.raw('interval') === undefined;
  if (isUnset || (intervalSeconds !== undefined && intervalSeconds < INTERVAL_SECONDS_MIN)) {
    const range = `must be a duration from ${INTERVAL_SECONDS_MIN}s to ${INTERVAL_SECONDS_MAX}s`;
    refill.addViolation('interval', range, undefined);
  }
  const seconds = intervalSeconds ?? INTERVAL_SECONDS_MIN;
  return { amount, intervalSeconds: seconds, at: readTime(refill, seconds) };
}

/** When the first refill is; one interval from now when unset. */
function readTime(refill: InputReader, intervalSeconds: number): Date {
  const text = refill.string('at');
  const nowMs = Date.now();
  if (text === undefined) return new Date(nowMs + intervalSeconds * 1000);
  const atMs = millisecondsOf(text);
  if (!(Math.abs(atMs - nowMs) <= AHEAD_MS_MAX)) {
    const fault = 'must be a time within a year, such as 2027-01-01T00:00:00Z';
    return refill.addViolation('at', fault, new Date(nowMs));
  }
  return new Date(atMs);
}
