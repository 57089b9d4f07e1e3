/**
 * `npm run soak`: half of the peak load on all services for ten minutes, and whether memory,
 * descriptors, connections and tables grow. docs/reliability.md says what is compared.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildProjects } from '#local-stack/build.mjs';
import { Interrupted, reasonOf } from '#local-stack/fault.mjs';
import { type Layout, workspace } from '#local-stack/layout.mjs';
import { readOptions, wholeNumber } from '#local-stack/options.mjs';
import { inOwnFolder } from '#local-stack/own-folder.mjs';
import { Progress } from '#local-stack/progress.mjs';
import { table } from '#local-stack/summary.mjs';
import { eventFaults } from '../live-stack/event-check.js';
import { Sampler, type Series } from '../live-stack/samples.js';
import { openWholeStack, type WholeStack } from '../live-stack/whole-stack.js';
import { SoakLoad } from './load.js';
import { type Verdicts, verdictsOf } from './verdicts.js';

const USAGE = `npm run soak -- [options]

  --minutes N   how long half of the peak is sent (10)
  --peak N      tasks per second at the peak, instead of measuring it

Exit codes: 0 nothing grows, 1 a fault, 3 no fault, but too short to say what grows.`;
const PEAK_SECONDS = 15;
const SAMPLE_INTERVAL_MS = 4_000;
const TOO_SHORT = 3;

interface Options {
  minutes: number;
  peak: number | undefined;
}

export async function main(args: string[]): Promise<number> {
  const options = readArguments(args);
  const progress = new Progress();
  progress.say(`Gatehouse soak, ${options.minutes} minutes\n`);
  return inOwnFolder(async ({ layout, signal }) => {
    await progress.step('build', (note) => buildProjects(layout, { note, signal }));
    return soak(options, progress, { layout, signal });
  });
}

async function soak(
  options: Options,
  progress: Progress,
  context: { layout: Layout; signal: AbortSignal },
): Promise<number> {
  // The line that says where a service listens is of level info. A cache that is full grows no more.
  const settings = { LOG_LEVEL: 'info' };
  const stack = await progress.step<WholeStack>('services', (note) =>
    openWholeStack({ ...context, note, settings }),
  );
  const faults: string[] = [];
  try {
    const { signal } = context;
    throwIfInterrupted(signal);
    const load = new SoakLoad(stack, signal);
    await load.open();
    const peak = await progress.step<number>('peak', async (note) => {
      const found = options.peak ?? (await load.peak(PEAK_SECONDS));
      throwIfInterrupted(signal);
      note(`${found.toFixed(0)} tasks a second`);
      return found;
    });
    const sampler = new Sampler(stack);
    const seconds = options.minutes * 60;
    await progress.step('load', async (note) => {
      const stop = new AbortController();
      const sampling = sampleUntil(sampler, stop.signal);
      await load.run(peak / 2, seconds);
      stop.abort();
      const unread = await sampling;
      throwIfInterrupted(signal);
      const planned = Math.ceil((peak / 2) * seconds);
      note(`${load.outcomes.length} of ${planned} tasks, ${load.failedCount} failed`);
      for (const reason of unread) faults.push(`Samples could not be read: ${reason}`);
    });
    await progress.step('events', async (note) => {
      const { faults: lost, events } = await eventFaults(stack, [load.tenant]);
      faults.push(...lost);
      note(`${events}, in order`, lost.length === 0 ? '✓' : '✗');
    });
    progress.say(`\n${load.latencyTable(seconds)}`);
    const verdicts = verdictsOf(sampler.series);
    progress.say(`\n${table(verdicts.rows)}`);
    progress.say(`\nSamples: ${relative(workspace, writeSamples(sampler.series))}`);
    for (const [failure, count] of load.failures) faults.push(`${count} × ${failure}`);
    return conclude(faults, verdicts, progress);
  } finally {
    await stack.close().catch((error: Error) => progress.say(`  ✗ ${error.message}`));
  }
}

function conclude(faults: string[], { growing, undecided }: Verdicts, progress: Progress): number {
  for (const fault of [...faults, ...growing.map((name) => `${name} grows`)]) {
    progress.say(`✗ ${fault}`);
  }
  if (undecided.length > 0) {
    progress.say(
      `No verdict on ${undecided.length} series: too short, or too few samples. Ten minutes suffice.`,
    );
  }
  if (faults.length + growing.length > 0) return 1;
  return undecided.length > 0 ? TOO_SHORT : 0;
}

function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new Interrupted();
}

/** Returns why samples could not be read, each reason once: a process that has ended has none. */
async function sampleUntil(sampler: Sampler, signal: AbortSignal): Promise<Set<string>> {
  const reasons = new Set<string>();
  while (!signal.aborted) {
    try {
      await sampler.sampleProcesses();
      await sampler.sampleStores();
    } catch (error) {
      reasons.add(reasonOf(error));
    }
    await delay(SAMPLE_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
  return reasons;
}

/** One line for each sample: series, seconds since the beginning, value. */
function writeSamples(series: Series): string {
  const folder = join(workspace, '.local', 'soak');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${new Date().toISOString().replaceAll(/[:.]/g, '-')}.csv`);
  const lines = [...series].flatMap(([name, samples]) =>
    samples.map(({ at, value }) => `${name},${at.toFixed(1)},${value}`),
  );
  writeFileSync(file, ['series,seconds,value', ...lines, ''].join('\n'));
  return file;
}

function readArguments(args: string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = readOptions(args, { minutes: text, peak: text }, { usage: USAGE });
  return {
    minutes: wholeNumber('--minutes', values.minutes ?? '10', 1),
    peak: values.peak === undefined ? undefined : wholeNumber('--peak', values.peak, 1),
  };
}
