// @ts-check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nxCommand } from '../local-stack/build.mjs';
import { reasonOf, StackFault } from '../local-stack/fault.mjs';
import { workspaceLock } from '../local-stack/install.mjs';
import { workspace } from '../local-stack/layout.mjs';
import { withLock } from '../local-stack/lock.mjs';
import { createContext } from './context.mjs';
import { findCores } from './cores.mjs';
import { runHttpRow } from './http-row.mjs';
import { findGenerator } from './load.mjs';
import { installPeers } from './peers.mjs';
import { runProcessRow } from './process-row.mjs';
import { formatTable, writeReport } from './report.mjs';
import { rssBytes, startServer } from './servers.mjs';
import { isReached } from './statistics.mjs';
import { provideStores } from './stores.mjs';

/** @typedef {import('./types.mjs').BenchOptions & { cores: import('./cores.mjs').Cores, generator: 'wrk' | 'autocannon' }} RunOptions */

/**
 * Runs one benchmark, prints its table and writes its JSON.
 *
 * @param {string} name
 * @param {import('./types.mjs').BenchOptions} benchOptions
 * @param {{ signal: AbortSignal, interrupted: Promise<never> }} interruption
 * @returns {Promise<number>} exit code
 */
export async function runBenchmark(name, benchOptions, { signal, interrupted }) {
  const options = { ...benchOptions, cores: findCores(), generator: findGenerator() };
  const file = join(workspace, 'bench', name, 'benchmark.mjs');
  /** @type {{ benchmark: import('./types.mjs').Benchmark }} */
  const { benchmark } = await import(pathToFileURL(file).href);
  const rows = benchmark.rows.filter(
    (row) => options.only === undefined || row.name.includes(options.only),
  );
  if (rows.length === 0) {
    const known = benchmark.rows.map((row) => row.name).join('; ');
    throw new StackFault(`${name} has no row whose name holds "${options.only}"`, known, 2);
  }
  await withLock(workspaceLock, async () => build(benchmark.build ?? []), { signal });
  const peersDir = installPeers(workspace, name, benchmark.peers ?? {});
  const stores = await provideStores(benchmark, { core: options.cores?.load, signal });
  const { context, close } = createContext({
    root: workspace,
    name,
    peersDir,
    keep: options.keep,
    ...stores,
  });
  try {
    const results = await Promise.race([measure(benchmark, rows, context, options), interrupted]);
    const under = conditions(rows, options);
    const path = writeReport(workspace, name, {
      title: benchmark.title,
      conditions: under,
      rounds: options.rounds,
      secondsPerRound: options.seconds,
      rows: results,
    });
    process.stdout.write(
      `\n${benchmark.title}\n${under}\n\n${formatTable(results)}\n\nWritten to ${path}\n`,
    );
    return options.strict && results.some((result) => result.reached === false) ? 1 : 0;
  } finally {
    await close();
    await stores.close();
  }
}

/**
 * @param {import('./types.mjs').Benchmark} benchmark
 * @param {import('./types.mjs').Row[]} rows
 * @param {import('./types.mjs').BenchContext} context
 * @param {RunOptions} options
 */
async function measure(benchmark, rows, context, options) {
  context.state = await benchmark.setup?.(context);
  /** @type {import('./types.mjs').RowResult[]} */
  const results = [];
  for (const row of rows) {
    process.stderr.write(`${row.name} ...\n`);
    try {
      results.push(await runRow(row, context, options));
    } catch (error) {
      throw new StackFault(`${row.name}: ${reasonOf(error)}`);
    }
  }
  return results;
}

/**
 * @param {import('./types.mjs').Row} row
 * @param {import('./types.mjs').BenchContext} context
 * @param {RunOptions} options
 * @returns {Promise<import('./types.mjs').RowResult>}
 */
async function runRow(row, context, options) {
  if (row.kind === 'http') return runHttpRow(row, context, options);
  if (row.kind === 'process') return runProcessRow(row, context, options);
  const core = options.cores?.server;
  const value = await row.measure(context, {
    startServer: (side) => startServer(side, context, { core, label: row.name }),
    rssBytes,
  });
  const { name, unit, aim } = row;
  return { name, unit, value, aim, reached: isReached(aim, { value }) };
}

/**
 * @param {import('./types.mjs').Row[]} rows
 * @param {RunOptions} options
 */
function conditions(rows, { cores, rounds, seconds, generator }) {
  const pinning = cores
    ? `server on core ${cores.server}, load on core ${cores.load}`
    : 'not pinned to cores (needs Linux, taskset and two cores)';
  const load = rows.some((row) => row.kind === 'http') ? `, load by ${generator}` : '';
  return `medians of ${rounds} rounds of ${seconds} s, floor and subject in turn; ${pinning}${load}`;
}

/**
 * Everything, so that the libraries are as new as the apps; what did not change comes from the cache.
 *
 * @param {string[]} projects nothing is built for none
 */
function build(projects) {
  if (projects.length === 0) return;
  process.stderr.write(`Building ${projects.join(', ')} ...\n`);
  const { program, args, cwd, env } = nxCommand(['run-many', '-t', 'build']);
  const { status, stdout } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new StackFault(`The build failed:\n${stdout}`);
}
