// @ts-check
/**
 * `npm run bench -- <name>`: runs the rows of bench/<name>/benchmark.mjs, floor and subject in
 * turn, and prints rates, latencies and the ratio. bench/README.md describes the entries.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createContext } from './bench/context.mjs';
import { findCores } from './bench/cores.mjs';
import { runHttpRow } from './bench/http-row.mjs';
import { findGenerator } from './bench/load.mjs';
import { installPeers } from './bench/peers.mjs';
import { runProcessRow } from './bench/process-row.mjs';
import { formatTable, writeReport } from './bench/report.mjs';
import { rssBytes, startServer } from './bench/servers.mjs';
import { isReached } from './bench/statistics.mjs';
import { provideStores } from './bench/stores.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const USAGE = `npm run bench -- <name> [options]

  --rounds N         rounds of each side, in turn (3)
  --seconds N        length of a round (5)
  --warmup N         seconds of load before the first round (2)
  --connections N    instead of what the entry says
  --only TEXT        rows whose name holds the text
  --quick            one round of one second: does it run at all?
  --strict           exit 1 when an aim is missed
  --keep             leave the databases
  --profile          write a CPU profile of the subject to .local/bench/profiles/
`;

/** @typedef {import('./bench/types.mjs').BenchOptions & { cores: import('./bench/cores.mjs').Cores, generator: 'wrk' | 'autocannon' }} RunOptions */

const { name, options } = readArguments();
/** @type {(() => Promise<void>)[]} */
const closers = [];
let isClosing = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => void closeAll().finally(() => process.exit(130)));
}
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`\n${describe(error)}\n`);
  process.exitCode = 1;
} finally {
  await closeAll();
}

async function main() {
  const file = join(root, 'bench', name, 'benchmark.mjs');
  /** @type {{ benchmark: import('./bench/types.mjs').Benchmark }} */
  const { benchmark } = await import(pathToFileURL(file).href);
  build(benchmark.build ?? []);
  const peersDir = installPeers(root, name, benchmark.peers ?? {});
  const stores = await provideStores(benchmark);
  closers.push(stores.close);
  const { context, close } = createContext({ root, name, peersDir, keep: options.keep, ...stores });
  closers.push(close);
  context.state = await benchmark.setup?.(context);

  const rows = benchmark.rows.filter(
    (row) => options.only === undefined || row.name.includes(options.only),
  );
  if (rows.length === 0) throw new Error(`${name} has no row whose name holds "${options.only}"`);
  /** @type {import('./bench/types.mjs').RowResult[]} */
  const results = [];
  for (const row of rows) {
    process.stderr.write(`${row.name} ...\n`);
    results.push(await runRow(row, context));
  }

  process.stdout.write(
    `\n${benchmark.title}\n${conditions(rows)}\n\n${formatTable(results)}\n\n` +
      `Written to ${writeReport(root, name, {
        title: benchmark.title,
        conditions: conditions(rows),
        rounds: options.rounds,
        secondsPerRound: options.seconds,
        rows: results,
      })}\n`,
  );
  return options.strict && results.some((result) => result.reached === false) ? 1 : 0;
}

/**
 * @param {import('./bench/types.mjs').Row} row
 * @param {import('./bench/types.mjs').BenchContext} context
 * @returns {Promise<import('./bench/types.mjs').RowResult>}
 */
async function runRow(row, context) {
  if (row.kind === 'http') return runHttpRow(row, context, options);
  if (row.kind === 'process') return runProcessRow(row, context, options);
  const core = options.cores?.server;
  const value = await row.measure(context, {
    startServer: (side) => startServer(side, context, { core, label: row.name }),
    rssBytes,
  });
  const { name: rowName, unit, aim } = row;
  return { name: rowName, unit, value, aim, reached: isReached(aim, { value }) };
}

/** @param {import('./bench/types.mjs').Row[]} rows */
function conditions(rows) {
  const { cores, rounds, seconds, generator } = options;
  const pinning = cores
    ? `server on core ${cores.server}, load on core ${cores.load}`
    : 'not pinned to cores (needs Linux, taskset and two cores)';
  const load = rows.some((row) => row.kind === 'http') ? `, load by ${generator}` : '';
  return `medians of ${rounds} rounds of ${seconds} s, floor and subject in turn; ${pinning}${load}`;
}

/** @param {string[]} projects */
function build(projects) {
  if (projects.length === 0) return;
  process.stderr.write(`Building ${projects.join(', ')} ...\n`);
  const nx = join(root, 'node_modules', 'nx', 'bin', 'nx.js');
  const { status, stdout } = spawnSync(
    process.execPath,
    [nx, 'run-many', '-t', 'build', '-p', projects.join(',')],
    { cwd: root, env: { ...process.env, NX_DAEMON: 'false' }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the build failed:\n${stdout}`);
}

/** @returns {{ name: string, options: RunOptions }} */
function readArguments() {
  const names = readdirSync(join(root, 'bench'), { withFileTypes: true })
    .filter((entry) => existsSync(join(root, 'bench', entry.name, 'benchmark.mjs')))
    .map((entry) => entry.name);
  /** @param {string} message */
  const fail = (message) => {
    process.stderr.write(`${message}\n\n${USAGE}\nNames: ${names.join(', ')}\n`);
    process.exit(2);
  };
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '3' },
        seconds: { type: 'string', default: '5' },
        warmup: { type: 'string', default: '2' },
        connections: { type: 'string' },
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        strict: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
      },
    });
    const [wanted] = positionals;
    if (wanted === undefined || positionals.length > 1) return fail('Name one benchmark.');
    if (!names.includes(wanted)) return fail(`There is no benchmark "${wanted}".`);
    const { quick, strict, keep, profile, only } = values;
    return {
      name: wanted,
      options: {
        rounds: quick ? 1 : wholeNumber('--rounds', values.rounds),
        seconds: quick ? 1 : wholeNumber('--seconds', values.seconds),
        warmupSeconds: quick ? 1 : wholeNumber('--warmup', values.warmup),
        connections:
          values.connections === undefined
            ? undefined
            : wholeNumber('--connections', values.connections),
        only,
        strict,
        keep,
        profile,
        cores: findCores(),
        generator: findGenerator(),
      },
    };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {string} flag
 * @param {string} text
 */
function wholeNumber(flag, text) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${flag} takes a whole number from 1`);
  return value;
}

async function closeAll() {
  if (isClosing) return;
  isClosing = true;
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
}

/** @param {unknown} error */
function describe(error) {
  /** @type {string[]} */
  const messages = [];
  for (let fault = error; fault instanceof Error; fault = fault.cause) messages.push(fault.message);
  return messages.join(': ') || String(error);
}
