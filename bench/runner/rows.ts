import { CONNECTIONS, runSeries } from './series.js';
import { rssBytes, startServer } from './servers.js';
import { startSide } from './sides.js';
import { compare, isReached, summarize } from './statistics.js';
import {
  type BenchContext,
  type ComparedRow,
  type MeasureRow,
  type Round,
  type Row,
  type RowResult,
  type RunningSide,
  type RunOptions,
} from './types.js';

/** The row of another checkout that takes the place of the floor, see against.ts. */
export interface OtherRow {
  row: Row;
  context: BenchContext;
}

/** Measures one row: beside its floor, or beside the same row of another checkout. */
export async function runRow(
  row: Row,
  context: BenchContext,
  options: RunOptions,
  other?: OtherRow,
): Promise<RowResult> {
  if (row.kind === 'series') return runSeries(row, context, options);
  if (row.kind !== 'measure') return compareSides(row, context, options, other);
  const { name, unit, aim } = row;
  const floorValue =
    other?.row.kind === 'measure' ? await measure(other.row, other.context, options) : undefined;
  const value = await measure(row, context, options);
  return { name, unit, value, floorValue, aim, reached: isReached(aim, { value }) };
}

/**
 * Starts both sides, loads them in turn (floor, subject, floor, ...) and checks their responses
 * before and afterwards, so that a side that answers wrongly is not measured.
 */
async function compareSides(
  row: ComparedRow,
  context: BenchContext,
  options: RunOptions,
  other?: OtherRow,
): Promise<RowResult> {
  const running: { name: string; side: RunningSide; rounds: Round[] }[] = [];
  const start = async (from: Row, role: 'subject' | 'floor', within: BenchContext) => {
    if (from.kind === 'measure' || from.kind === 'series' || from[role] === undefined) return;
    const profile = options.profile && running.length === 0;
    const label = `${from.name} ${running.length === 0 ? 'subject' : 'floor'}`;
    const settings = { ...loadOf(from, options), options, profile, label };
    const side = await startSide(from[role], within, settings);
    running.unshift({ name: from[role].name, side, rounds: [] });
  };
  context.sample = undefined;
  try {
    // The subject first: the floor reproduces its first response.
    await start(row, 'subject', context);
    if (other === undefined) await start(row, 'floor', context);
    else await start(other.row, 'subject', other.context);

    for (const { side } of running) await side.run(options.warmupSeconds);
    for (let round = 1; round <= options.rounds; round += 1) {
      for (const { name, side, rounds } of running) {
        try {
          rounds.push(await side.run(options.seconds));
        } catch (error) {
          throw new Error(`${name}, round ${round}`, { cause: error });
        }
      }
    }
    for (const { side } of running) await side.check();
    const [subject, floor] = running.reverse().map(({ name, rounds }) => summarize(name, rounds));
    return compare(row, subject!, floor);
  } finally {
    await Promise.all(running.map(({ side }) => side.stop()));
  }
}

function loadOf(row: ComparedRow, options: RunOptions) {
  if (row.kind === 'system') return { connections: 1, perRequest: 1 };
  if (row.kind === 'process') {
    return { connections: row.concurrency ?? 1, perRequest: row.perCall ?? 1 };
  }
  const { connections = CONNECTIONS, perRequest = 1 } = row;
  return { connections: options.connections ?? connections, perRequest };
}

function measure(row: MeasureRow, context: BenchContext, options: RunOptions): Promise<number> {
  const core = options.cores?.server;
  return row.measure(context, {
    startServer: (side) => startServer(side, context, { core, label: row.name }),
    rssBytes,
  });
}
