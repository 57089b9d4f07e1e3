/** Finds the series that grow by more than their goal allows. */
import { type Sample, type Series } from '../live-stack/samples.js';

/** Memory of a process is compared once its code is compiled and its small caches are filled. */
const WARM_UP_SHARE = 0.4;
/** Collections and the ends of connections look like growth over less time. */
const COMPARED_SECONDS_MIN = 300;
const SAMPLES_MIN = 20;
const HOUR_SECONDS = 3_600;
const MIB = 2 ** 20;

interface Goal {
  /** A level may gain a hundredth of itself in an hour, and this, which is noise in ten minutes. */
  amount: number;
  scale: number;
  unit: string;
}

const GOALS: readonly [RegExp, Goal][] = [
  [/ heap$/, { amount: 24 * MIB, scale: MIB, unit: 'MiB' }],
  [/ rss$/, { amount: 60 * MIB, scale: MIB, unit: 'MiB' }],
  [/ descriptors$/, { amount: 12, scale: 1, unit: '' }],
  [/^(PostgreSQL connections|Redis clients)$/, { amount: 6, scale: 1, unit: '' }],
];

export interface Verdicts {
  /** For a table, with a head. */
  rows: string[][];
  /** The names of the series that fail. */
  growing: string[];
  /** The names of the series with too few samples or too little time to be judged. */
  undecided: string[];
}

/**
 * Compares the lowest sample of each half of the time after the warm-up: of a heap, it is what a collection
 * left, so the sawtooth between collections disappears.
 */
export function verdictsOf(series: Series): Verdicts {
  const verdicts: Verdicts = {
    rows: [['Series', 'Level', 'Growth per hour', 'Goal', 'Verdict']],
    growing: [],
    undecided: [],
  };
  for (const [name, all] of series) {
    const goal = GOALS.find(([pattern]) => pattern.test(name))?.[1];
    if (goal === undefined) throw new Error(`${name} has no goal`);
    const warm = all.slice(Math.floor(all.length * WARM_UP_SHARE));
    const known = warm.filter(({ value }) => Number.isFinite(value));
    const span = (known.at(-1)?.at ?? 0) - (known[0]?.at ?? 0);
    if (span < COMPARED_SECONDS_MIN || known.length < SAMPLES_MIN) {
      verdicts.undecided.push(name);
      verdicts.rows.push([name, '', '', '', known.length === 0 ? 'no samples' : 'too short']);
      continue;
    }
    const middle = (known[0]?.at ?? 0) + span / 2;
    const level = lowestOf(known.filter(({ at }) => at < middle));
    const later = lowestOf(known.filter(({ at }) => at >= middle));
    const perHour = ((later - level) / (span / 2)) * HOUR_SECONDS;
    const limit = level / 100 + goal.amount;
    const isGrowing = perHour > limit;
    if (isGrowing) verdicts.growing.push(name);
    const shown = [level, perHour, limit].map((value) =>
      `${(value / goal.scale).toFixed(1)} ${goal.unit}`.trimEnd(),
    );
    verdicts.rows.push([name, ...shown, isGrowing ? 'grows' : 'flat']);
  }
  return verdicts;
}

function lowestOf(samples: readonly Sample[]): number {
  return Math.min(...samples.map(({ value }) => value));
}
