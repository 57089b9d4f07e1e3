import { startSide } from './sides.js';
import { isReached, summarize } from './statistics.js';
import {
  type BenchContext,
  type Round,
  type RowResult,
  type RunningSide,
  type RunOptions,
  type SeriesRow,
} from './types.js';

/** Unless a row or a point has its own. */
export const CONNECTIONS = 32;

/** Starts all points of a series and loads them in turn, so that the machine is the same to each. */
export async function runSeries(
  row: SeriesRow,
  context: BenchContext,
  options: RunOptions,
): Promise<RowResult> {
  context.sample = undefined;
  const running: { x: number; side: RunningSide; rounds: Round[] }[] = [];
  try {
    for (const { x, side, connections = CONNECTIONS } of row.points) {
      const label = `${row.name} ${x}`;
      const settings = { connections, perRequest: 1, options, profile: false, label };
      running.push({ x, side: await startSide(side, context, settings), rounds: [] });
    }
    for (const { side } of running) await side.run(options.warmupSeconds);
    for (let round = 1; round <= options.rounds; round += 1) {
      for (const { side, rounds } of running) rounds.push(await side.run(options.seconds));
    }
    for (const { side } of running) await side.check();
  } finally {
    await Promise.all(running.map(({ side }) => side.stop()));
  }
  const points = running.map(({ x, rounds }) => ({ x, median: summarize('', rounds).median }));
  return { ...resultOf(row, points), unit: 'requests' };
}

function resultOf(
  { name, axis, aim }: SeriesRow,
  points: { x: number; median: Round }[],
): Omit<RowResult, 'unit'> {
  const [first, last] = [points[0]?.median, points.at(-1)?.median];
  const ratio = first && last && last.ratePerSecond / first.ratePerSecond;
  const cpuRatio =
    first?.cpuMicrosPerUnit && last?.cpuMicrosPerUnit
      ? first.cpuMicrosPerUnit / last.cpuMicrosPerUnit
      : undefined;
  // Without an aim, the points differ by intention.
  const ratios = aim && { aim, ratio, cpuRatio, reached: isReached(aim, { ratio, cpuRatio }) };
  return { name, series: { axis, points }, ...ratios };
}
