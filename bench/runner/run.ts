import { loadavg } from 'node:os';
import { reasonOf, StackFault } from '#local-stack/fault.mjs';
import { workspace } from '#local-stack/layout.mjs';
import { openOther, rowAgainst, type OtherCheckout } from './against.js';
import { createContext } from './context.js';
import { findCores } from './cores.js';
import { importModule } from './modules.js';
import { installPeers } from './peers.js';
import { formatTable, writeReport } from './report.js';
import { runRow } from './rows.js';
import { provideStores } from './stores.js';
import {
  type BenchContext,
  type Benchmark,
  type BenchOptions,
  type Row,
  type RowResult,
  type RunOptions,
} from './types.js';

export const SECONDS = 5;
export const WARMUP_SECONDS = 2;

export interface Interruption {
  signal: AbortSignal;
  /** Rejects when the user wants to stop. */
  interrupted: Promise<never>;
}

/** Runs one benchmark, prints its table and writes its JSON. */
export async function runBenchmark(
  name: string,
  benchOptions: BenchOptions,
  { signal, interrupted }: Interruption,
): Promise<RowResult[]> {
  const module = await importModule<{ benchmark: Benchmark }>(workspace, `bench/${name}/benchmark`);
  const { benchmark } = module;
  const options = {
    ...benchOptions,
    seconds: benchOptions.seconds ?? benchmark.seconds ?? SECONDS,
    warmupSeconds: benchOptions.warmupSeconds ?? benchmark.warmupSeconds ?? WARMUP_SECONDS,
    cores: benchmark.isSystem ? undefined : findCores(),
  };
  const { against } = options;
  const loadBefore = currentLoad();
  const rows = selectRows(name, benchmark, options.only);
  const peersDir = installPeers(workspace, name, against ? {} : (benchmark.peers ?? {}));
  const stores = await provideStores(benchmark, { core: options.cores?.load, signal });
  const settings = { name, peersDir, keep: options.keep, ...stores };
  const { context, close } = createContext({ root: workspace, ...settings });
  let other: OtherCheckout | undefined;
  try {
    other = against === undefined ? undefined : await openOther(against, settings);
    const results = await Promise.race([measure(rows, context, options, other), interrupted]);
    const load = `load average ${loadBefore} before and ${currentLoad()} after`;
    const conditions = `${conditionsOf(rows, options)}; ${load}`;
    const { title, note, isPlotted } = benchmark;
    const report = { name, title, note, isPlotted, against, conditions, rows: results };
    const path = writeReport(workspace, against === undefined ? name : `${name}-against`, report);
    const table = formatTable(results, against === undefined ? undefined : `of ${against}`);
    process.stdout.write(`\n${title}\n${conditions}\n\n${table}\n\nWritten to ${path}\n`);
    return results;
  } finally {
    await other?.close();
    await close();
    await stores.close();
  }
}

function selectRows(name: string, benchmark: Benchmark, only = ''): Row[] {
  const rows = benchmark.rows.filter((row) => row.name.includes(only));
  if (rows.length > 0) return rows;
  const known = benchmark.rows.map((row) => row.name).join('; ');
  throw new StackFault(`${name} has no row whose name contains "${only}"`, known, 2);
}

async function measure(
  rows: readonly Row[],
  context: BenchContext,
  options: RunOptions,
  other?: OtherCheckout,
): Promise<RowResult[]> {
  const results: RowResult[] = [];
  for (const row of rows) {
    const otherRow = other?.find(row);
    if (other !== undefined && otherRow === undefined) {
      process.stderr.write(`${row.name}: the other checkout has no such row\n`);
      continue;
    }
    process.stderr.write(`${row.name} ...\n`);
    try {
      const measured = await runRow(other ? rowAgainst(row) : row, context, options, otherRow);
      results.push({ ...measured, limit: row.limit });
    } catch (error) {
      throw new StackFault(`${row.name}: ${reasonOf(error)}`);
    }
  }
  return results;
}

function currentLoad(): string {
  const [minute = NaN] = loadavg();
  return minute.toFixed(1);
}

function conditionsOf(
  rows: readonly Row[],
  { against, cores, rounds, seconds }: RunOptions,
): string {
  const sides = against === undefined ? 'floor and subject' : 'both checkouts';
  const pinning = cores
    ? `server on core ${cores.server}, load on core ${cores.load}`
    : 'not pinned to cores';
  const load = rows.some((row) => row.kind === 'http') ? ', load by autocannon' : '';
  return `medians of ${rounds} rounds of ${seconds} s, ${sides} in turn; ${pinning}${load}`;
}
