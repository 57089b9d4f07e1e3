/** The child process of an in-process row: loads the entry's script and runs it on request. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { type RunnerReply, type RunnerTask } from './process-side.js';
import { type ProcessWork, type Round } from './types.js';

/** Times every 16th call of a synchronous function: the clock costs as much as a small call. */
const SYNC_SAMPLE = 16;

let work: ProcessWork<unknown> | undefined;
let n = 0;

process.on('message', (task: RunnerTask) => {
  const reply = (message: RunnerReply) => process.connected && process.send?.(message);
  perform(task).then(
    (result) => reply({ result }),
    (error: unknown) => reply({ error: error instanceof Error ? error.stack : String(error) }),
  );
});
process.on('disconnect', () => {
  void Promise.resolve(work?.close?.()).finally(() => process.exit(0));
});

async function perform(task: RunnerTask): Promise<unknown> {
  if (task.task === 'prepare') {
    const { prepare } = (await import(pathToFileURL(task.script).href)) as {
      prepare: (context: object) => Promise<ProcessWork<unknown>>;
    };
    work = await prepare(task.context);
  }
  if (work === undefined) throw new Error('not prepared');
  if (task.task !== 'run') return work.check?.(await work.run(n++));
  const first = work.run(n++);
  if (!(first instanceof Promise)) return runSync(work.run, task.milliseconds);
  await first;
  return runAsync(work.run, task.milliseconds, task.concurrency);
}

async function runAsync(run: ProcessWork<unknown>['run'], milliseconds: number, lanes: number) {
  const clock = startClock(milliseconds);
  const lane = async () => {
    for (let before = performance.now(); before < clock.endsAt;) {
      await run(n++);
      const after = performance.now();
      record(clock.latencies, after - before);
      before = after;
      clock.calls += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return figures(clock);
}

function runSync(run: ProcessWork<unknown>['run'], milliseconds: number): Round {
  const clock = startClock(milliseconds);
  for (let before = clock.startedAt; before < clock.endsAt; before = performance.now()) {
    run(n++);
    record(clock.latencies, performance.now() - before);
    for (let call = 1; call < SYNC_SAMPLE; call += 1) run(n++);
    clock.calls += SYNC_SAMPLE;
  }
  return figures(clock);
}

function startClock(milliseconds: number) {
  const startedAt = performance.now();
  return {
    latencies: createHistogram(),
    cpuBefore: process.cpuUsage(),
    startedAt,
    endsAt: startedAt + milliseconds,
    calls: 0,
  };
}

function record(latencies: RecordableHistogram, milliseconds: number): void {
  latencies.record(Math.max(1, Math.round(milliseconds * 1e6)));
}

function figures({ calls, startedAt, cpuBefore, latencies }: ReturnType<typeof startClock>): Round {
  const cpu = process.cpuUsage(cpuBefore);
  return {
    cpuMicrosPerUnit: (cpu.user + cpu.system) / calls,
    ratePerSecond: (calls * 1_000) / (performance.now() - startedAt),
    p50Ms: latencies.percentile(50) / 1e6,
    p99Ms: latencies.percentile(99) / 1e6,
  };
}
