/** Identity providers and webhook receivers while a process shuts down. */
import { startWebhookReceiver, stopInFlight, type TestStack } from '@gatehouse/testing';
import { Client } from 'pg';
import { newDirectory, openSyncStack, user } from './sync-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openSyncStack();
});
afterAll(() => stack.close());

it('answers every request in flight before it ends', async () => {
  const api = await stack.start('dsync-api');
  const directory = await newDirectory(api);
  const send = (index: number) => directory.scim('POST', '/Users', user(`user-${index}`));
  await send(-1);
  const held = { databaseUrl: stack.database.url, table: 'dsync.users', send };
  const { outcomes, exitCode } = await stopInFlight(api, held);
  expect(outcomes).toEqual(Array.from({ length: 10 }, () => 201));
  expect(exitCode).toBe(0);
});

it('ends a worker whose receiver hangs in time, and leaves the event to the next one', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const api = await stack.start('dsync-api');
    const worker = await stack.start('dsync-worker', { SHUTDOWN_TIMEOUT: '2' });
    const webhook = {
      webhook_url: receiver.url,
      webhook_secret: 'a-secret-of-the-receiver-0123456',
    };
    const directory = await newDirectory(api, webhook);
    receiver.respond(() => ({ delayMs: 60_000 }));
    await directory.scim('POST', '/Users', user('waiting'));
    await receiver.waitFor(1);
    expect(await worker.stop()).toBe(0);
    const rows = await stack.database.query(
      `SELECT e.sequence > p.cursor AS "isPending", p.failures, p.leased_by FROM dsync.events e
       JOIN dsync.endpoints p USING (source_id) WHERE source_id = $1`,
      [directory.id],
    );
    expect(rows).toEqual([{ isPending: true, failures: 0, leased_by: null }]);
    receiver.respond(() => ({}));
    await stack.start('dsync-worker');
    await receiver.waitFor(2);
  } finally {
    await receiver.close();
  }
});

it('refuses large bodies that the heap cannot hold with 503, and keeps running', async () => {
  const api = await stack.start('dsync-api', { NODE_OPTIONS: '--max-old-space-size=256' });
  const directory = await newDirectory(api);
  const emails = Array.from({ length: 1_000 }, (_, n) => ({
    value: `${n}@example.com`,
    display: 'x'.repeat(1_800),
  }));
  const bodies = Array.from({ length: 60 }, (_, index) =>
    JSON.stringify(user(`large-${index}`, { emails })),
  );
  const client = new Client(stack.database.url);
  await client.connect();
  // Nothing that was admitted ends before all have been sent.
  await client.query('BEGIN; LOCK TABLE dsync.users');
  const sent = bodies.map((body) => directory.scim('POST', '/Users', body));
  await Promise.race(sent);
  await client.end();
  const answers = await Promise.all(sent);
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  // Requests that fit may still wait too long for the database.
  for (const { headers } of refused) expect(headers.get('retry-after')).toMatch(/^[15]$/);
  expect(api.process.exitCode).toBeNull();
  expect((await directory.scim('POST', '/Users', user('small'))).status).toBe(201);
}, 60_000);
