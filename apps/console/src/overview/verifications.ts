/** Verifications in time, by what became of them. */
import { type UsageListResponse } from '@gatehouse/client';
import { lastHours } from '../parts/plot.js';

const LIMITED: ReadonlySet<string | undefined> = new Set(['rate_limited', 'credits_exhausted']);
/** Fewer say nothing. */
const REFUSED_MIN = 10;
const INCREASE_MIN = 2;

export type Usage = Readonly<UsageListResponse['usage']>;

/** For each of the last 24 hours: accepted, over a limit, refused for another reason. */
export function byHour(usage: Usage) {
  return lastHours().map((hour) => ({
    hour,
    values: counted(usage.filter(({ time }) => time === hour)),
  }));
}

/** Refusals of the last hour, if their rate is at least twice that of the day. */
export function increasedRefusals(minutes: Usage, hours: Usage) {
  const hour = refusalsIn(minutes);
  const day = refusalsIn(hours);
  const isIncreased = hour.refused >= REFUSED_MIN && hour.rate >= INCREASE_MIN * day.rate;
  return isIncreased ? { ...hour, dayRate: day.rate } : undefined;
}

function refusalsIn(usage: Usage) {
  const [accepted, limited, refused] = counted(usage);
  const all = accepted + limited + refused;
  return { refused: limited + refused, rate: all === 0 ? 0 : (limited + refused) / all };
}

function counted(usage: Usage): [accepted: number, limited: number, refused: number] {
  const sums: [number, number, number] = [0, 0, 0];
  for (const { outcome, count } of usage) {
    sums[outcome === 'valid' ? 0 : LIMITED.has(outcome) ? 1 : 2] += Number(count);
  }
  return sums;
}
