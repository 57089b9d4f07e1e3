/** Which series grow by more than their goal allows. */
import { type Series } from '../live-stack/samples.js';
import { lowestOf, type Sample, type Trend, trendOf } from '../live-stack/trend.js';

/** Memory of a process is compared once its code is compiled and its small caches are filled. */
const WARM_UP_SHARE = 0.4;
/** Each stretch has to be longer than the time between collections: half a minute, in ten minutes. */
const FLOORS = 10;
/** Collections and the ends of connections look like growth over less time. */
const COMPARED_SECONDS_MIN = 300;
const SAMPLES_MIN = 20;
const MIB = 2 ** 20;

interface Goal {
  /** What the level may gain in an hour: a share of it, and an amount that is noise. */
  share: number;
  amount: number;
  scale: number;
  unit: string;
  /** Compare the lowest samples, because the value goes up and down. */
  isFloor?: boolean;
}

/**
 * A series fails when it surely grows, and by more than its goal in an hour. Ten minutes cannot show
 * 1 % in an hour beside the noise of a collected heap: the amounts are what they can show.
 */
const GOALS: readonly [RegExp, Goal | undefined][] = [
  [/ heap$/, { share: 0.01, amount: 24 * MIB, scale: MIB, unit: 'MiB', isFloor: true }],
  [/ rss$/, { share: 0.01, amount: 60 * MIB, scale: MIB, unit: 'MiB', isFloor: true }],
  [/ descriptors$/, { share: 0.01, amount: 12, scale: 1, unit: '', isFloor: true }],
  [/^PostgreSQL connections$/, { share: 0.01, amount: 6, scale: 1, unit: '' }],
  [/^Redis clients$/, { share: 0.01, amount: 6, scale: 1, unit: '' }],
  // They follow what else the machine does, or what the load creates. The table shows them.
  [/ loop p99$|^(PostgreSQL table|PostgreSQL dead|Redis (memory|keys))/, undefined],
];

export interface Verdicts {
  /** For a table, with a head. */
  rows: string[][];
  /** The names of the series that fail. */
  growing: string[];
  /** The names of the series that have a goal, but too few samples or too little time to judge it. */
  undecided: string[];
}

export function verdictsOf(series: Series): Verdicts {
  const verdicts: Verdicts = {
    rows: [['Series', 'Level', 'Slope per hour', '99 % interval', 'Goal', 'Verdict']],
    growing: [],
    undecided: [],
  };
  for (const [name, samples] of series) {
    const goal = GOALS.find(([pattern]) => pattern.test(name))?.[1];
    const known = comparedPart(samples);
    const isEnough = spanOf(known) >= COMPARED_SECONDS_MIN && known.length >= SAMPLES_MIN;
    if (goal && !isEnough) verdicts.undecided.push(name);
    if (known.length < 3) {
      verdicts.rows.push([name, '', '', '', '', 'no samples']);
      continue;
    }
    const compared = goal?.isFloor ? lowestOf(known, FLOORS) : known;
    const trend = trendOf(compared);
    const limit = goal && goal.share * trend.level + goal.amount;
    const isAbove = limit !== undefined && trend.lowPerHour > 0 && trend.perHour > limit;
    if (isAbove && isEnough) verdicts.growing.push(name);
    const verdict = isEnough ? (isAbove ? 'grows' : 'flat') : 'too short';
    verdicts.rows.push(rowOf(name, trend, goal, limit, goal ? verdict : 'shown only'));
  }
  return verdicts;
}

/** Samples after the warm-up, without those that could not be read. */
function comparedPart(samples: readonly Sample[]): Sample[] {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  return warm.filter(({ value }) => Number.isFinite(value));
}

function spanOf(samples: readonly Sample[]): number {
  return (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
}

function rowOf(
  name: string,
  { level, perHour, lowPerHour, highPerHour }: Trend,
  goal: Goal | undefined,
  limit: number | undefined,
  verdict: string,
): string[] {
  const { scale, unit } = goal ?? unitOf(name);
  const shown = (value: number) => `${(value / scale).toFixed(1)} ${unit}`.trimEnd();
  const interval = `${shown(lowPerHour)} to ${shown(highPerHour)}`;
  const shownLimit = limit === undefined ? 'none' : shown(limit);
  return [name, shown(level), shown(perHour), interval, shownLimit, verdict];
}

function unitOf(name: string): Pick<Goal, 'scale' | 'unit'> {
  if (/bytes|memory/.test(name)) return { scale: MIB, unit: 'MiB' };
  return name.endsWith(' loop p99') ? { scale: 0.001, unit: 'ms' } : { scale: 1, unit: '' };
}
