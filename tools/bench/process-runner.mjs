// @ts-check
// The child process of an in-process row: loads the entry's module and runs it when told.
import { createHistogram } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';

/** @typedef {{ run: (n: number) => unknown, check?: (result: unknown) => void | Promise<void>, close?: () => Promise<void> | void }} Work */

/** Of a synchronous function, every 16th call is timed: the clock costs as much as a small call. */
const SYNC_SAMPLE = 16;

/** @type {Work | undefined} */
let work;
let n = 0;

/** @type {Record<string, (task: any) => Promise<unknown>>} */
const tasks = {
  async prepare({ script, context }) {
    const module = await import(pathToFileURL(script).href);
    work = await module.prepare(context);
    await checkOne();
  },
  async run({ milliseconds, concurrency }) {
    const { run } = ready();
    const first = run(n++);
    if (first instanceof Promise) {
      await first;
      return runAsync(run, milliseconds, concurrency);
    }
    return runSync(run, milliseconds);
  },
  check: checkOne,
};

process.on('message', (/** @type {{ task: string }} */ task) => {
  const perform = tasks[task.task] ?? (() => Promise.reject(new Error(`no task ${task.task}`)));
  const answer = (/** @type {object} */ message) => process.connected && process.send?.(message);
  perform(task).then(
    (result) => answer({ result }),
    (error) => answer({ error: error instanceof Error ? error.stack : String(error) }),
  );
});
process.on('disconnect', () => {
  void Promise.resolve(work?.close?.()).finally(() => process.exit(0));
});

/**
 * @param {Work['run']} run
 * @param {number} milliseconds
 * @param {number} concurrency
 */
async function runAsync(run, milliseconds, concurrency) {
  const latencies = createHistogram();
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const end = start + milliseconds;
  let calls = 0;
  const lane = async () => {
    for (let before = performance.now(); before < end;) {
      await run(n++);
      const after = performance.now();
      latencies.record(Math.max(1, Math.round((after - before) * 1e6)));
      before = after;
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return figures(calls, performance.now() - start, latencies, process.cpuUsage(cpuBefore));
}

/**
 * @param {Work['run']} run
 * @param {number} milliseconds
 */
function runSync(run, milliseconds) {
  const latencies = createHistogram();
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const end = start + milliseconds;
  let calls = 0;
  for (let before = start; before < end; before = performance.now()) {
    run(n++);
    latencies.record(Math.max(1, Math.round((performance.now() - before) * 1e6)));
    for (let call = 1; call < SYNC_SAMPLE; call += 1) run(n++);
    calls += SYNC_SAMPLE;
  }
  return figures(calls, performance.now() - start, latencies, process.cpuUsage(cpuBefore));
}

/**
 * @param {number} calls
 * @param {number} elapsedMs
 * @param {import('node:perf_hooks').RecordableHistogram} latencies
 * @param {{ user: number, system: number }} cpu in microseconds
 */
function figures(calls, elapsedMs, latencies, cpu) {
  return {
    cpuMicrosPerUnit: (cpu.user + cpu.system) / calls,
    ratePerSecond: (calls * 1_000) / elapsedMs,
    p50Ms: latencies.percentile(50) / 1e6,
    p99Ms: latencies.percentile(99) / 1e6,
  };
}

async function checkOne() {
  const { run, check } = ready();
  const result = await run(n++);
  await check?.(result);
}

function ready() {
  if (work === undefined) throw new Error('nothing is prepared');
  return work;
}
