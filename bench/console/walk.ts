/** Jobs at the console in Chromium: on the filled stack, beside one that has only what the job needs. */
import assert from 'node:assert/strict';
import { createGatehouse, type Gatehouse } from '@gatehouse/client';
import {
  ConsolePerson,
  launchBrowser,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { type Browser } from 'playwright-core';
import { stackLayout } from '#local-stack/layout.mjs';
import { provideChromium } from '../../tools/test-run/browser.js';
import { once } from '../runner/define.js';
import { cpuMicros, startServer } from '../runner/servers.js';
import {
  type BenchContext,
  type Round,
  type RunningServer,
  type SystemRow,
  type SystemSide,
} from '../runner/types.js';
import { gatehouse } from '../small/sides.js';
import { ADMIN_KEY } from '../verify/sides.js';
import { filled } from './fill.js';

const CLICKS_MAX = 4;
/** Events are delivered at once, and refused ones again. */
const DELIVERY = {
  DSYNC_EVENT_ATTEMPTS: '1',
  DSYNC_SWEEP_INTERVAL: '1',
  DSYNC_WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 50 }, () => '1').join(),
};

export interface WalkedStack {
  readonly server: RunningServer;
  readonly browser: Browser;
  readonly gatehouse: Gatehouse;
  readonly receiver: WebhookReceiver;
  /** The directory that jobs are about, with the name Acme; as its provider calls it, and its users. */
  readonly customer: string;
  readonly provider: Gatehouse['scim']['users'];
}

export interface Job {
  readonly name: string;
  /** Makes what a person then walks to. */
  readonly prepare: (stack: WalkedStack) => Promise<Prepared>;
}

interface Prepared {
  /** From the first page to what shows that the job is done. */
  readonly walk: (person: ConsolePerson) => Promise<unknown>;
  /** Whether it was. */
  readonly proof?: () => Promise<unknown>;
}

export function walkRow(job: Job): SystemRow {
  return {
    kind: 'system',
    name: job.name,
    unit: 'walks',
    subject: side(job, 'filled stack', filledStack),
    floor: side(job, 'empty stack', emptyStack),
  };
}

const emptyStack = once(async (context) => openStack(context, await context.databaseUrl('empty')));
export const filledStack = once(async (context) => {
  const { url, customer } = await filled(context);
  return openStack(context, url, customer);
});

async function openStack(
  context: BenchContext,
  databaseUrl: string,
  known?: { readonly id: string; readonly secret: string },
): Promise<WalkedStack> {
  const settings = { ADMIN_API_KEYS: ADMIN_KEY, API_KEYS: ADMIN_KEY, ...DELIVERY };
  const label = known ? 'console filled' : 'console empty';
  const server = await startServer(gatehouse(databaseUrl, settings), context, { label });
  const { signal } = new AbortController();
  process.env['CHROMIUM_PATH'] = await provideChromium({ layout: stackLayout(), signal });
  const browser = await launchBrowser();
  context.onClose(() => browser.close());
  const receiver = await startWebhookReceiver();
  context.onClose(() => receiver.close());
  const client = createGatehouse({ url: server.url, key: ADMIN_KEY });
  const { directories, keyLinks, schemas } = client;
  const owner = { tenant: 'bench', product: 'bench' };
  const created = known ? undefined : await directories.create({ ...owner, name: 'Acme' });
  const { id = '', secret = '' } = known ?? { id: created?.id, secret: created?.scim.secret };
  await directories.update({ id, name: 'Acme' });
  await keyLinks.set({ ...owner, attribute: 'id', on_deactivate: 'pause' });
  const email = { type: 'string', format: 'email', 'x-identifier': true };
  const traits = { type: 'object', properties: { email } };
  await schemas.register({ id: 'walked', schema: { type: 'object', properties: { traits } } });
  const provider = providerOf(server.url, secret);
  return { server, browser, gatehouse: client, receiver, customer: id, provider };
}

export function providerOf(url: string, secret = ''): WalkedStack['provider'] {
  return createGatehouse({ url, key: secret }).scim.users;
}

function side(
  job: Job,
  name: string,
  open: (context: BenchContext) => Promise<WalkedStack>,
): SystemSide {
  return {
    name,
    start: async (context) => {
      const stack = await open(context);
      const { browser, server } = stack;
      const at = { adminUrl: server.url, adminKey: ADMIN_KEY };
      const person = await ConsolePerson.open(browser, at, { locale: 'en-US' });
      const servedMs: number[] = [];
      person.page.on('requestfinished', (request) => {
        const { requestStart, responseStart } = request.timing();
        if (request.isNavigationRequest()) servedMs.push(responseStart - requestStart);
      });
      await person.signIn();
      return {
        run: async (seconds) => {
          servedMs.splice(0);
          const walks: Walk[] = [];
          const endMs = performance.now() + seconds * 1_000;
          do walks.push(await walk(job, stack, person));
          while (performance.now() < endMs);
          return roundOf(walks, servedMs);
        },
        check: () => Promise.resolve(),
        stop: () => person.context.close(),
      };
    },
  };
}

interface Walk {
  readonly ms: number;
  readonly clicks: number;
  readonly cpuMicros: number;
}

/** @throws if the job is not done after four clicks */
async function walk(job: Job, stack: WalkedStack, person: ConsolePerson): Promise<Walk> {
  const { walk, proof } = await job.prepare(stack);
  const cpu = () => cpuMicros(stack.server.pid) ?? NaN;
  const [startMs, startMicros] = [performance.now(), cpu()];
  await person.start();
  await walk(person);
  const done = {
    ms: performance.now() - startMs,
    clicks: person.clicks,
    cpuMicros: cpu() - startMicros,
  };
  await proof?.();
  assert.ok(done.clicks <= CLICKS_MAX, `${done.clicks} clicks`);
  return done;
}

function roundOf(walks: readonly Walk[], servedMs: readonly number[]): Round {
  const ms = walks.map((each) => each.ms);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    ratePerSecond: (walks.length * 1_000) / sum(ms),
    p50Ms: percentile(ms, 0.5),
    p99Ms: percentile(ms, 0.99),
    cpuMicrosPerUnit: sum(walks.map((each) => each.cpuMicros)) / walks.length,
    each: {
      clicks: Math.max(...walks.map(({ clicks }) => clicks)),
      'ms in the browser': percentile(ms, 0.5),
      'ms of a page on the server': percentile(servedMs, 0.5),
      'of 95 %': percentile(servedMs, 0.95),
    },
  };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? NaN;
}
