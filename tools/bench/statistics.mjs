// @ts-check

/**
 * @param {number[]} values at least one
 * @returns {number} the middle one; of an even number the mean of the two in the middle
 */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  const lower = sorted[Math.ceil(middle) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('median of nothing');
  return (upper + lower) / 2;
}

/**
 * @param {string} name
 * @param {import('./types.mjs').Round[]} rounds
 * @returns {import('./types.mjs').SideResult}
 */
export function summarise(name, rounds) {
  const cpu = rounds.flatMap((round) => round.cpuMicrosPerUnit ?? []);
  return {
    name,
    rounds,
    median: {
      cpuMicrosPerUnit: cpu.length === rounds.length ? median(cpu) : undefined,
      ratePerSecond: median(rounds.map((round) => round.ratePerSecond)),
      p50Ms: median(rounds.map((round) => round.p50Ms)),
      p99Ms: median(rounds.map((round) => round.p99Ms)),
    },
  };
}

/**
 * @param {import('./types.mjs').Row} row
 * @param {import('./types.mjs').SideResult} subject
 * @param {import('./types.mjs').SideResult} [floor]
 * @returns {import('./types.mjs').RowResult}
 */
export function compare(row, subject, floor) {
  const ratio = floor && subject.median.ratePerSecond / floor.median.ratePerSecond;
  const ratios =
    floor &&
    subject.rounds.map(
      (round, index) => round.ratePerSecond / (floor.rounds[index]?.ratePerSecond ?? Number.NaN),
    );
  return {
    name: row.name,
    unit: row.unit ?? (row.kind === 'process' ? 'calls' : 'requests'),
    subject,
    floor,
    ratio,
    ratios,
    cpuRatio: cpuRatio(subject.median, floor?.median),
    aim: row.aim,
    reached: isReached(row.aim, { ratio, ratePerSecond: subject.median.ratePerSecond }),
  };
}

/**
 * @param {import('./types.mjs').Round} subject
 * @param {import('./types.mjs').Round | undefined} floor
 */
function cpuRatio(subject, floor) {
  if (!subject.cpuMicrosPerUnit || !floor?.cpuMicrosPerUnit) return undefined;
  return floor.cpuMicrosPerUnit / subject.cpuMicrosPerUnit;
}

/**
 * @param {import('./types.mjs').Aim | undefined} aim
 * @param {{ ratio?: number, ratePerSecond?: number, value?: number }} seen
 * @returns {boolean | undefined} undefined when there is nothing to reach
 */
export function isReached(aim, { ratio, ratePerSecond, value }) {
  if (aim === undefined) return undefined;
  const misses = [
    aim.ratio !== undefined && !(ratio !== undefined && ratio >= aim.ratio),
    aim.ratePerSecond !== undefined &&
      !(ratePerSecond !== undefined && ratePerSecond >= aim.ratePerSecond),
    aim.atMost !== undefined && !(value !== undefined && value <= aim.atMost),
    aim.atLeast !== undefined && !(value !== undefined && value >= aim.atLeast),
  ];
  return !misses.includes(true);
}
