/**
 * `npm run fuzz`: sends changed requests to every operation of the services, which run as built processes
 * on stores of their own. docs/reliability.md says what is compared.
 */
import { randomInt } from 'node:crypto';
import { ApiDescription, type OpenApiDocument } from '@gatehouse/testing';
import { buildProjects } from '#local-stack/build.mjs';
import { StackFault } from '#local-stack/fault.mjs';
import { readOptions, wholeNumber } from '#local-stack/options.mjs';
import { inOwnFolder } from '#local-stack/own-folder.mjs';
import { Progress } from '#local-stack/progress.mjs';
import { eventFaults } from '../live-stack/event-check.js';
import { processFaults } from '../live-stack/process-check.js';
import { Tenant } from '../live-stack/tenant.js';
import { openWholeStack, type WholeStack } from '../live-stack/whole-stack.js';
import { FuzzRun } from './fuzz-run.js';
import { type Document, type Operation, operationsOf, UNDESCRIBED } from './operation.js';

const USAGE = `npm run fuzz -- [options]

  --seed N        the seed of an earlier run (random)
  --seconds N     how long changed requests are sent (60)
  --filter TEXT   only operations whose service, method and path contain the text`;
const CONCURRENCY = 8;
const SERVICES = ['key-service', 'dsync-api', 'identity-forms'] as const;

export async function main(args: string[]): Promise<number> {
  return (await findFaults(args)).length === 0 ? 0 : 1;
}

/** @returns a line for each fault, which says how to send its request again */
export async function findFaults(args: string[]): Promise<string[]> {
  const text = { type: 'string' } as const;
  const options = { seed: text, seconds: text, filter: text };
  const { values } = readOptions(args, options, { usage: USAGE });
  const seed =
    values.seed === undefined ? randomInt(1_000_000) : wholeNumber('--seed', values.seed, 0);
  const seconds = wholeNumber('--seconds', values.seconds ?? '60', 1);
  const progress = new Progress();
  progress.say(`Gatehouse fuzz: --seed ${seed}\n`);
  return inOwnFolder(async ({ layout, signal }) => {
    await progress.step('build', (note) => buildProjects(layout, { note, signal }));
    const settings = { LOG_LEVEL: 'debug' };
    const stack = await progress.step<WholeStack>('services', (note) =>
      openWholeStack({ layout, signal, note, settings }),
    );
    try {
      return await fuzz(stack, { seed, seconds, filter: values.filter ?? '', signal }, progress);
    } finally {
      await stack.close().catch((error: Error) => progress.say(`  ✗ ${error.message}`));
    }
  });
}

async function fuzz(
  stack: WholeStack,
  {
    seed,
    seconds,
    filter,
    signal,
  }: { seed: number; seconds: number; filter: string; signal: AbortSignal },
  progress: Progress,
): Promise<string[]> {
  const faults: string[] = [];
  const tenants: [Tenant, Tenant] = [new Tenant(stack, 'kestrel'), new Tenant(stack, 'ostrich')];
  await progress.step('tenants', () => Promise.all(tenants.map((tenant) => tenant.open())));
  const { operations, descriptions } = await operationsOfStack(stack, filter);
  const run = new FuzzRun(stack, tenants, descriptions);
  await progress.step('examples', async (note) => {
    for (const operation of operations) await run.sendExample(operation);
    note(`${operations.length} operations`);
  });
  await progress.step('edges', async (note) => {
    for (const operation of operations) await run.sendEdges(operation);
    note(`${run.sent} requests`);
  });
  await progress.step('changes', async (note) => {
    await sendAll(run, operations, { seed, end: performance.now() + seconds * 1_000, signal });
    note(`${run.sent} requests`);
  });
  await progress.step('events', async (note) => {
    const { faults: lost, events } = await eventFaults(stack, tenants);
    faults.push(...lost);
    note(`${events}, in order`, lost.length === 0 ? '✓' : '✗');
  });
  await progress.step('processes', async () => {
    faults.push(...(await processFaults(stack, run.secrets)));
  });
  for (const [service, counts] of run.answers) {
    const statuses = [...counts].sort(([a], [b]) => a - b).map((pair) => pair.join(': '));
    progress.say(`  ${service} answered ${statuses.join(', ')}`);
  }
  for (const fault of faults) progress.say(`\n✗ ${fault}`);
  for (const { operation, fault, curl, seed: at } of run.findings) {
    const where =
      at === undefined ? 'as its example says' : `--seed ${seed} --filter "${operation}"`;
    progress.say(`\n✗ ${operation} (${where})\n  ${fault}\n  ${curl.slice(0, 3_000)}`);
    faults.push(`${operation} (${where}): ${fault}`);
  }
  progress.say(`\n${run.sent} requests, ${faults.length} findings, in ${progress.elapsed()}.`);
  return faults;
}

async function operationsOfStack(stack: WholeStack, filter: string) {
  const descriptions = new Map<string, ApiDescription>();
  const all: Operation[] = [...UNDESCRIBED];
  for (const service of SERVICES) {
    const response = await fetch(`${stack.services[service].url}/openapi.json`);
    const document = (await response.json()) as Document & OpenApiDocument;
    // Every SCIM error has the same body, which `default` describes.
    const defaultFrom = service === 'dsync-api' ? 400 : undefined;
    descriptions.set(service, new ApiDescription(document, defaultFrom));
    all.push(...operationsOf(service, document));
  }
  const operations = all.filter(({ service, name }) => `${service} ${name}`.includes(filter));
  if (operations.length === 0) throw new StackFault(`No operation contains "${filter}"`, USAGE, 2);
  return { operations, descriptions };
}

/** Every operation of both tenants in turn, until the time is up. */
async function sendAll(
  run: FuzzRun,
  operations: readonly Operation[],
  { seed, end, signal }: { seed: number; end: number; signal: AbortSignal },
): Promise<void> {
  let turn = 0;
  const sendNext = async () => {
    while (!run.isFull && !signal.aborted && performance.now() < end) {
      const number = turn++;
      const operation = operations[number % operations.length] as Operation;
      const round = Math.floor(number / operations.length);
      await run.sendChanged(operation, (round % 2) as 0 | 1, seed * 1_000 + round, end);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendNext));
}
