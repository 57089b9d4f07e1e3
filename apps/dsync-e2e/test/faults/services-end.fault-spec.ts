/** The services that take requests are killed under load: what they accepted is there afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, freePort, openTestStack, orClose, type TestStack } from '@gatehouse/testing';
import { ADMIN_KEY, SETTINGS } from './all-services.js';
import { openFaultStack } from './fault-stack.js';

const KILLS = 3;
/** Accepted between two of them. */
const CHANGES = 30;
const CLIENTS = 4;
/** A client that is not answered leaves the processor to the process that starts. */
const RETRY_MS = 50;

/** Kills a process and starts another one in its place, again and again, while changes are accepted. */
async function killAndReplace(
  start: () => Promise<{ kill: () => Promise<void> }>,
  accepted: () => number,
): Promise<void> {
  let running = await start();
  for (let time = 0; time <= KILLS; time += 1) {
    const before = accepted();
    await eventually(() => expect(accepted()).toBeGreaterThan(before + CHANGES), {
      timeoutMs: 30_000,
    });
    if (time === KILLS) return;
    await running.kill();
    running = await start();
  }
}

it('the SCIM API loses and doubles nothing when it is killed', async () => {
  const faults = await openFaultStack({ settings: { PORT: String(await freePort()) } });
  try {
    const directories = await faults.newDirectories(3);
    const worker = await faults.worker({ PORT: '0' });
    let isOver = false;
    const load = Promise.all(directories.map((each) => each.provision(Infinity, () => isOver)));
    const running = [faults.api];
    await killAndReplace(
      async () => running.pop() ?? faults.stack.start('dsync-api'),
      () => directories.flatMap(({ changes }) => changes).length,
    ).finally(() => {
      isOver = true;
    });
    await load;
    await faults.verify(directories);
    expect(await worker.stop()).toBe(0);
  } finally {
    await faults.close();
  }
});

/** Changes that a service accepts one after another. */
interface Changes {
  app: 'key-service' | 'identity-forms';
  path: string;
  content: (n: number) => object;
  /** Whether what an accepted change made is there. */
  isThere: (url: string, n: number, answer: Record<string, string>) => Promise<boolean>;
}

const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };

const CHANGES_OF: Changes[] = [
  {
    app: 'key-service',
    path: '/v2alpha1/admin/issuedApiKeys',
    content: (n) => ({ name: `key ${n}`, actor_id: 'a' }),
    isThere: async (url, _, { secret }) => {
      const body = JSON.stringify({ credential: secret });
      const path = '/v2alpha1/admin/apiKeys:verify';
      const answer = await fetch(url + path, { method: 'POST', headers, body });
      return ((await answer.json()) as { is_valid: boolean }).is_valid;
    },
  },
  {
    app: 'identity-forms',
    path: '/v1/schemas',
    content: (n) => ({
      id: `schema-${n}`,
      schema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { traits: { type: 'object', properties: { name: { type: 'string' } } } },
      },
    }),
    isThere: async (url, n) => (await fetch(`${url}/v1/schemas/schema-${n}`, { headers })).ok,
  },
];

it.each(CHANGES_OF)(
  '$app keeps what it has accepted when it is killed',
  async ({ app, path, content, isThere }) => {
    const settings = { ...SETTINGS, PORT: String(await freePort()) };
    const stack: TestStack = await openTestStack(app, { settings });
    await orClose(stack.close, async () => {
      const accepted = new Map<number, Record<string, string>>();
      let [next, isOver] = [0, false];
      const url = `http://127.0.0.1:${settings.PORT}`;
      const client = async () => {
        while (!isOver) {
          const n = next++;
          const body = JSON.stringify(content(n));
          // No answer: it is not there, or not yet again.
          const answer = await fetch(url + path, { method: 'POST', headers, body }).catch(
            () => undefined,
          );
          const text = await answer?.text().catch(() => '');
          if (!answer || !text) {
            await sleep(RETRY_MS);
          } else {
            expect([answer.status, text]).toEqual([201, expect.any(String)]);
            accepted.set(n, JSON.parse(text) as Record<string, string>);
          }
        }
      };
      const clients: Promise<void>[] = [];
      await killAndReplace(
        async () => {
          const service = await stack.start(app);
          if (clients.length === 0) {
            clients.push(...Array.from({ length: CLIENTS }, () => client()));
          }
          return service;
        },
        () => accepted.size,
      ).finally(() => {
        isOver = true;
      });
      await Promise.all(clients);
      const missing: number[] = [];
      for (const [n, answer] of accepted) if (!(await isThere(url, n, answer))) missing.push(n);
      expect(missing).toEqual([]);
    });
    await stack.close();
  },
);
