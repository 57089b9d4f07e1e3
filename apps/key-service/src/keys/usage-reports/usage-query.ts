/** Reads a query of usage. Times are in UTC; `from` is rounded down to the interval, `to` up. */
import { type InputReader, invalidField, millisecondsOf } from '@gatehouse/kit/input';
import { parseListFilter } from '../../api/list-filter.js';
import { USAGE_LEVELS, type UsageInterval } from '../../store/usage/usage.types.js';
import { USAGE_OUTCOMES } from '../../verification/usage/usage-row.js';

/** In the order of the rows of a page. */
export const DIMENSIONS = ['key', 'actor', 'prefix', 'tag', 'outcome', 'limit'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export interface UsageQuery {
  readonly interval: UsageInterval;
  readonly fromMs: number;
  readonly toMs: number;
  readonly groupBy: readonly Dimension[];
  /** Values by dimension, as text. */
  readonly equal: Readonly<Partial<Record<Dimension, string>>>;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(2000, 0);
const LAST_MS = Date.UTC(3000, 0);
const INTERVALS = Object.keys(USAGE_LEVELS) as UsageInterval[];
export const STEP_MS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: DAY_MS } as const;
const DEFAULT_RANGE_MS = { minute: 60 * MINUTE_MS, hour: DAY_MS, day: 30 * DAY_MS } as const;
/** How many days one query may span. */
export const RANGE_DAYS_MAX = { minute: 1, hour: 100, day: 800 } as const;

const TERMS = ['key_id=', 'actor_id=', 'tag=', 'outcome=', 'limit=', 'prefix='] as const;

/**
 * @param keyId of the only key that is asked about
 * @throws DomainError that names the parameter
 */
export function readUsageQuery(
  reader: InputReader,
  keyId?: string,
  nowMs = Date.now(),
): UsageQuery {
  const interval = reader.oneOf('interval', INTERVALS) ?? 'hour';
  const stepMs = STEP_MS[interval];
  const to = readTime(reader, 'to') ?? nowMs;
  const toMs = Math.ceil(to / stepMs) * stepMs;
  const from = readTime(reader, 'from') ?? toMs - DEFAULT_RANGE_MS[interval];
  const fromMs = Math.floor(from / stepMs) * stepMs;
  if (fromMs >= toMs) reader.addViolation('to', 'must be after from', undefined);
  if (toMs - fromMs > RANGE_DAYS_MAX[interval] * DAY_MS) {
    const days = RANGE_DAYS_MAX[interval];
    const unit = days === 1 ? 'day' : 'days';
    reader.addViolation('from', `must be at most ${days} ${unit} before to`, undefined);
  }
  const groupBy = readGroupBy(reader);
  const filter = reader.string('filter');
  reader.throwIfInvalid();
  const equal = readFilter(filter);
  if (keyId !== undefined) {
    if (equal.key !== undefined && equal.key !== keyId) {
      throw invalidField('filter', 'must not name another key');
    }
    equal.key = keyId;
  }
  const used = [...groupBy, ...(Object.keys(equal) as Dimension[])];
  if (used.includes('prefix') && used.some((each) => ['key', 'actor', 'tag'].includes(each))) {
    const field = groupBy.includes('prefix') ? 'group_by' : 'filter';
    throw invalidField(
      field,
      'must not use prefix, which only unknown credentials have, with keys',
    );
  }
  return { interval, fromMs, toMs, groupBy, equal };
}

function readTime(reader: InputReader, name: string): number | undefined {
  const value = reader.string(name) ?? '';
  if (value === '') return undefined;
  const atMs = millisecondsOf(value);
  // PostgreSQL does not read years such as 10000, to which a time could be rounded up.
  if (atMs >= FIRST_MS && atMs < LAST_MS) return atMs;
  const fault = 'must be a time such as 2027-01-31T12:00:00Z, in the years from 2000 to 2999';
  return reader.addViolation(name, fault, undefined);
}

function readGroupBy(reader: InputReader): Dimension[] {
  const text = reader.string('group_by') ?? '';
  const names = text === '' ? [] : text.split(',').map((name) => name.trim());
  const isKnown = names.every((name) => DIMENSIONS.some((each) => each === name));
  if (!isKnown || new Set(names).size < names.length) {
    const fault = `must list each at most once out of ${DIMENSIONS.join(', ')}`;
    return reader.addViolation('group_by', fault, []);
  }
  return DIMENSIONS.filter((each) => names.includes(each));
}

function readFilter(text: string | undefined): Partial<Record<Dimension, string>> {
  const terms = parseListFilter(text, TERMS);
  const equal: Partial<Record<Dimension, string>> = {
    key: terms['key_id='],
    actor: terms['actor_id='],
    prefix: terms['prefix='],
    tag: terms['tag='],
    outcome: terms['outcome='],
    limit: terms['limit='],
  };
  for (const each of DIMENSIONS) if (equal[each] === undefined) delete equal[each];
  const { outcome } = equal;
  if (outcome === undefined) return equal;
  const number = USAGE_OUTCOMES.indexOf(outcome);
  if (number === -1) {
    throw invalidField('filter', `must set outcome to one of ${USAGE_OUTCOMES.join(', ')}`);
  }
  return { ...equal, outcome: String(number) };
}
