import {
  type Aim,
  type ComparedRow,
  type Round,
  type RowResult,
  type SideResult,
} from './types.js';

/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('median of nothing');
  return (upper + lower) / 2;
}

export function summarize(name: string, rounds: Round[]): SideResult {
  return {
    name,
    rounds,
    median: {
      cpuMicrosPerUnit: medianOfAll(rounds.map((round) => round.cpuMicrosPerUnit)),
      residentMb: medianOfAll(rounds.map((round) => round.residentMb)),
      ratePerSecond: median(rounds.map((round) => round.ratePerSecond)),
      p50Ms: median(rounds.map((round) => round.p50Ms)),
      p99Ms: median(rounds.map((round) => round.p99Ms)),
      each: rounds[0]?.each && mediansOf(rounds.map(({ each = {} }) => each)),
    },
  };
}

/** The median, unless a round lacks the figure. */
function medianOfAll(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? median(known) : undefined;
}

/** The median of each figure. */
export function mediansOf(rounds: readonly Record<string, number>[]): Record<string, number> {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(rounds.map((round) => round[name] ?? NaN))]),
  );
}

export function compare(row: ComparedRow, subject: SideResult, floor?: SideResult): RowResult {
  const { ratePerSecond, cpuMicrosPerUnit } = subject.median;
  const floorCpu = floor?.median.cpuMicrosPerUnit;
  const ratio = floor && ratePerSecond / floor.median.ratePerSecond;
  const cpuRatio = floorCpu && cpuMicrosPerUnit ? floorCpu / cpuMicrosPerUnit : undefined;
  return {
    name: row.name,
    unit: row.unit ?? (row.kind === 'process' ? 'calls' : 'requests'),
    subject,
    floor,
    ratio,
    ratios: floor?.rounds.map(
      (round, index) => (subject.rounds[index]?.ratePerSecond ?? NaN) / round.ratePerSecond,
    ),
    cpuRatio,
    aim: row.aim,
    reached: isReached(row.aim, { ratio, cpuRatio, ratePerSecond }),
  };
}

/** Whether every bound of the aim holds; undefined without an aim. A missing figure misses it. */
export function isReached(
  aim: Aim | undefined,
  figures: { ratio?: number; cpuRatio?: number; ratePerSecond?: number; value?: number },
): boolean | undefined {
  if (aim === undefined) return undefined;
  const { ratio = NaN, cpuRatio = NaN, ratePerSecond = NaN, value = NaN } = figures;
  return (
    (aim.ratio === undefined || ratio >= aim.ratio) &&
    (aim.cpuRatio === undefined || cpuRatio >= aim.cpuRatio) &&
    (aim.ratePerSecond === undefined || ratePerSecond >= aim.ratePerSecond) &&
    (aim.atMost === undefined || value <= aim.atMost) &&
    (aim.atLeast === undefined || value >= aim.atLeast)
  );
}
