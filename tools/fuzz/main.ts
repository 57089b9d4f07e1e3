/**
 * `npm run fuzz`: sends valid requests, mutated, to every route of the services, which run as built
 * processes on stores of their own. docs/reliability.md says what is compared.
 */
import { randomInt } from 'node:crypto';
import { ApiDescription, type OpenApiDocument } from '@gatehouse/testing';
import { buildProjects } from '#local-stack/build.mjs';
import { StackFault } from '#local-stack/fault.mjs';
import { type Layout } from '#local-stack/layout.mjs';
import { readOptions, wholeNumber } from '#local-stack/options.mjs';
import { inOwnFolder } from '#local-stack/own-folder.mjs';
import { Progress } from '#local-stack/progress.mjs';
import { table } from '#local-stack/summary.mjs';
import { eventFaults } from '../live-stack/event-check.js';
import { Sampler } from '../live-stack/samples.js';
import { Tenant } from '../live-stack/tenant.js';
import { type HttpService, openWholeStack, type WholeStack } from '../live-stack/whole-stack.js';
import { memoryRows, processFaults } from './end-checks.js';
import { FuzzRun } from './fuzz-run.js';
import { MORE_TARGETS } from './more-targets.js';
import { type Description, type Target, targetsOf } from './targets.js';

const USAGE = `npm run fuzz -- [options]

  --seed N        the seed of an earlier run (random)
  --seconds N     how long mutated requests are sent (90)
  --requests N    how many are sent, instead of --seconds
  --at N          only the mutated request of that number
  --filter TEXT   only operations whose service, method and path contain the text`;
const CONCURRENCY = 8;
const SAMPLE_INTERVAL_MS = 1_000;
const HEAP_MIB = 320;
const SERVICES: readonly HttpService[] = ['key-service', 'dsync-api', 'identity-forms'];

interface Options {
  seed: number;
  seconds: number;
  requests: number | undefined;
  at: number | undefined;
  filter: string;
}

export async function main(args: string[]): Promise<number> {
  const options = readArguments(args);
  const progress = new Progress();
  progress.say(`Gatehouse fuzz: --seed ${options.seed}\n`);
  return inOwnFolder(async ({ layout, signal }) => {
    await progress.step('build', (note) => buildProjects(layout, { note, signal }));
    return fuzz(options, progress, { layout, signal });
  });
}

async function fuzz(
  options: Options,
  progress: Progress,
  context: { layout: Layout; signal: AbortSignal },
): Promise<number> {
  const settings = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`, LOG_LEVEL: 'debug' };
  const stack = await progress.step<WholeStack>('services', (note) =>
    openWholeStack({ ...context, note, settings }),
  );
  const faults: string[] = [];
  try {
    const tenants: [Tenant, Tenant] = [new Tenant(stack, 'kestrel'), new Tenant(stack, 'ostrich')];
    await progress.step('tenants', () => Promise.all(tenants.map((tenant) => tenant.open())));
    const { targets, descriptions } = await targetsOfStack(stack, options.filter);
    const run = new FuzzRun(stack, tenants, descriptions, options.seed);
    const sampler = new Sampler(stack);
    await progress.step('valid requests', async (note) => {
      for (const target of targets) await run.sendValid(target);
      note(`${targets.length} operations`);
    });
    await progress.step('mutations', async (note) => {
      await sendAll(run, targets, options, sampler, context.signal);
      note(`${run.sent} requests, ${run.skipped} left out`);
    });
    const memory = memoryRows(sampler.series);
    await progress.step('events', async (note) => {
      const { faults: lost, events } = await eventFaults(stack, tenants);
      faults.push(...lost);
      note(`${events}, in order`, lost.length === 0 ? '✓' : '✗');
    });
    await progress.step('processes', async () => {
      faults.push(...(await processFaults(stack, run.secrets)), ...memory.faults);
    });
    run.close();
    progress.say(`\n${coverageTable(run)}`);
    if (memory.rows.length > 0) {
      progress.say(`\n${table([['After the warm-up', 'Level', 'Growth'], ...memory.rows])}`);
    }
    return conclude(run, faults, options, progress);
  } finally {
    await stack.close().catch((error: Error) => progress.say(`  ✗ ${error.message}`));
  }
}

async function targetsOfStack(stack: WholeStack, filter: string) {
  const descriptions = new Map<string, ApiDescription>();
  const all: Target[] = [...MORE_TARGETS];
  for (const service of SERVICES) {
    const response = await fetch(`${stack.services[service].url}/openapi.json`);
    const document = (await response.json()) as Description & OpenApiDocument;
    // Every SCIM error has the same body, which `default` describes.
    const defaultFrom = service === 'dsync-api' ? 400 : undefined;
    descriptions.set(service, new ApiDescription(document, defaultFrom));
    all.push(...targetsOf(service, document));
  }
  const targets = all.filter(({ service, name }) => `${service} ${name}`.includes(filter));
  if (targets.length === 0) throw new StackFault(`No operation contains "${filter}"`, USAGE, 2);
  return { targets, descriptions };
}

async function sendAll(
  run: FuzzRun,
  targets: readonly Target[],
  { seconds, requests, at }: Options,
  sampler: Sampler,
  signal: AbortSignal,
): Promise<void> {
  if (at !== undefined) return run.sendMutated(targets, at);
  const end = performance.now() + seconds * 1_000;
  let number = 0;
  const isOver = () =>
    run.isFull ||
    signal.aborted ||
    (requests === undefined ? performance.now() >= end : number >= requests);
  const sendNext = async () => {
    while (!isOver()) await run.sendMutated(targets, number++);
  };
  let isSampling = false;
  const sampling = setInterval(() => {
    if (isSampling) return;
    isSampling = true;
    // A process that has ended is found at the end.
    void sampler
      .sampleProcesses()
      .catch(() => undefined)
      .finally(() => (isSampling = false));
  }, SAMPLE_INTERVAL_MS);
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, sendNext));
  } finally {
    clearInterval(sampling);
  }
}

/** Operations and statuses by service. */
function coverageTable({ coverage }: FuzzRun): string {
  const rows = [...SERVICES, 'dsync-worker'].map((service) => {
    const own = [...coverage].filter(([target]) => target.service === service);
    const statuses = new Map<number, number>();
    for (const [, counts] of own) {
      for (const [status, count] of counts) {
        statuses.set(status, (statuses.get(status) ?? 0) + count);
      }
    }
    const sorted = [...statuses].sort(([a], [b]) => a - b);
    return [service, String(own.length), sorted.map((pair) => pair.join(': ')).join(', ')];
  });
  return table([['Service', 'Operations', 'Answers by status'], ...rows]);
}

function conclude(run: FuzzRun, faults: string[], { seed }: Options, progress: Progress): number {
  for (const { number, target, fault, curl } of run.findings) {
    const where = number === undefined ? 'without mutations' : `--seed ${seed} --at ${number}`;
    progress.say(`\n✗ ${target} (${where})\n  ${fault}\n  ${curl.slice(0, 3_000)}`);
  }
  for (const fault of faults) progress.say(`\n✗ ${fault}`);
  const found = run.findings.length + faults.length;
  progress.say(`\n${run.sent} requests, ${found} findings, in ${progress.elapsed()}.`);
  return found === 0 ? 0 : 1;
}

function readArguments(args: string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = readOptions(
    args,
    { seed: text, seconds: text, requests: text, at: text, filter: text },
    { usage: USAGE },
  );
  const { seed, seconds, requests, at, filter = '' } = values;
  const numberOf = (flag: string, given: string | undefined) =>
    given === undefined ? undefined : wholeNumber(flag, given, 0);
  return {
    filter,
    seed: numberOf('--seed', seed) ?? randomInt(1_000_000),
    seconds: numberOf('--seconds', seconds) ?? 90,
    requests: numberOf('--requests', requests),
    at: numberOf('--at', at),
  };
}
