import {
  createTestDatabase,
  startWebhookReceiver,
  type TestDatabase,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { Webhook } from 'standardwebhooks';
import {
  ENCRYPTION_KEYS,
  openSync,
  patch,
  type TestDirectory,
  type TestSync,
  user,
} from '../../test/harness.js';
import { createDelivery, type Delivery } from '../delivery.js';
import { silentLogger } from '../result.js';

let database: TestDatabase;
let test: TestSync;
let receiver: WebhookReceiver;
const deliveries: Delivery[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  test = await openSync(database.url);
});

beforeEach(async () => {
  receiver = await startWebhookReceiver();
});

afterEach(async () => {
  await receiver.close();
  await Promise.all(deliveries.splice(0).map((delivery) => delivery.close()));
});

afterAll(async () => {
  await test.close();
  await database.drop();
});

/** One worker. */
function newDelivery(
  settings: Partial<Parameters<typeof createDelivery>[0]['settings']> = {},
  allowPrivate = true,
): Delivery {
  const delivery = createDelivery({
    dataSource: test.dataSource,
    encryptionKeys: ENCRYPTION_KEYS,
    outbound: { allowPrivate },
    settings: { retryScheduleSeconds: [0, 0], timeoutSeconds: 2, ...settings },
    logger: silentLogger,
  });
  deliveries.push(delivery);
  return delivery;
}

async function directoryWith(events: number, input: object = {}): Promise<TestDirectory> {
  const directory = await test.newDirectory({
    webhook_url: `${receiver.url}/hook`,
    webhook_secret: 'a-secret-of-the-receiver',
    ...input,
  });
  for (let n = 0; n < events; n++) await directory.send('POST', '/Users', user(`user-${n}`));
  return directory;
}

const namesReceived = () =>
  receiver.received.map(
    ({ body }) => (JSON.parse(body) as { data: { raw: { userName: string } } }).data.raw.userName,
  );

async function statesOf(directory: TestDirectory): Promise<string[]> {
  const { data } = await test.sync.events.getAll({ directoryId: directory.id });
  return (data ?? []).map(({ state }) => state);
}

describe('a lane', () => {
  it('delivers events one after the other in sequence, signed in three ways', async () => {
    const directory = await directoryWith(5);
    expect(await newDelivery().runLane(directory.id)).toEqual({ reason: 'idle' });
    expect(namesReceived()).toEqual(['user-0', 'user-1', 'user-2', 'user-3', 'user-4']);
    expect(await statesOf(directory)).toEqual(Array(5).fill('delivered'));

    const log = await test.eventsOf(directory);
    const verifier = new Webhook('a-secret-of-the-receiver', { format: 'raw' });
    for (const [index, { headers, body }] of receiver.received.entries()) {
      const { state, attempts, ...payload } = log[index] as (typeof log)[0] & {
        state: string;
        attempts: unknown[];
      };
      expect([state, attempts.length]).toEqual(['delivered', 1]);
      expect(verifier.verify(body, headers as Record<string, string>)).toEqual(payload);
      expect(headers['webhook-id']).toBe(payload.id);
      expect(headers['boxyhq-signature']).toMatch(/^t=\d{13},s=[0-9a-f]{64}$/);
      expect(headers['ory-polis-signature']).toBe(headers['boxyhq-signature']);
    }
  });

  it('signs with both secrets while the old one overlaps', async () => {
    const directory = await directoryWith(1);
    await test.sync.directories.update(directory.id, {
      webhook_secret: 'the-new-secret',
      webhook_secret_overlap: '1h',
    });
    await newDelivery().runLane(directory.id);
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    for (const secret of ['a-secret-of-the-receiver', 'the-new-secret']) {
      const verifier = new Webhook(secret, { format: 'raw' });
      expect(() => verifier.verify(body, headers as Record<string, string>)).not.toThrow();
    }
  });

  it('keeps its order when an event fails: nothing overtakes it', async () => {
    const directory = await directoryWith(3);
    receiver.respond((_, index) => ({ status: index === 1 ? 500 : 200 }));
    const delivery = newDelivery();
    expect(await delivery.runLane(directory.id)).toMatchObject({ reason: 'waiting' });
    expect(await statesOf(directory)).toEqual(['delivered', 'pending', 'pending']);
    expect(await delivery.runLane(directory.id)).toEqual({ reason: 'idle' });
    expect(namesReceived()).toEqual(['user-0', 'user-1', 'user-1', 'user-2']);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids[1]).toBe(ids[2]);
  });

  it('waits for the time of the next attempt, longer when the endpoint says so', async () => {
    const directory = await directoryWith(1);
    receiver.respond(() => ({ status: 503, headers: { 'retry-after': '600' } }));
    const delivery = newDelivery({ retryScheduleSeconds: [60] });
    const run = await delivery.runLane(directory.id);
    const waitMs = run.reason === 'waiting' ? run.retryAt.getTime() - Date.now() : 0;
    expect(Math.round(waitMs / 10_000)).toBe(60);
    expect(await delivery.runLane(directory.id)).toEqual(run);
    expect(receiver.received).toHaveLength(1);
    expect(await delivery.idleLanes()).not.toContain(directory.id);
  });

  it('gives up after the last attempt, keeps the event as dead and goes on', async () => {
    const directory = await directoryWith(2);
    receiver.respond(({ body }) => ({ status: body.includes('user-0') ? 500 : 200 }));
    const delivery = newDelivery();
    for (let run = 0; run < 3; run++) await delivery.runLane(directory.id);
    expect(await statesOf(directory)).toEqual(['dead', 'delivered']);
    const { data } = await test.sync.directories.status(directory.id);
    expect(data).toMatchObject({ pending: 0, oldest_pending_age_seconds: null, dead: 1 });

    const [dead] = await test.eventsOf(directory);
    const { data: record } = await test.sync.events.get(dead?.id ?? '');
    expect(record?.attempts.map(({ status_code, error }) => [status_code, error])).toEqual(
      Array(3).fill([500, 'the endpoint answered 500']),
    );
    receiver.respond(() => ({ status: 204 }));
    expect((await test.sync.events.resend(dead?.id ?? '')).data?.state).toBe('pending');
    await delivery.runLane(directory.id);
    expect(await statesOf(directory)).toEqual(['delivered', 'delivered']);
  });

  it('stops the webhook at 410; a new address starts it with the next event', async () => {
    const directory = await directoryWith(2);
    receiver.respond(() => ({ status: 410 }));
    await newDelivery().runLane(directory.id);
    expect(receiver.received).toHaveLength(1);
    expect(await statesOf(directory)).toEqual(['not_sent', 'not_sent']);
    const status = await test.sync.directories.status(directory.id);
    expect(status.data?.webhook.state).toBe('stopped');

    receiver.respond(() => ({ status: 200 }));
    await test.sync.directories.update(directory.id, { webhook_url: `${receiver.url}/new` });
    await directory.send('POST', '/Users', user('later'));
    await newDelivery().runLane(directory.id);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/new']);
    expect(namesReceived().at(-1)).toBe('later');
  });

  it('follows no redirect', async () => {
    const directory = await directoryWith(1);
    receiver.respond(() => ({ status: 302, headers: { location: `${receiver.url}/elsewhere` } }));
    expect((await newDelivery().runLane(directory.id)).reason).toBe('waiting');
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  });

  it('takes silence, a cut connection and nobody there for failures', async () => {
    const directory = await directoryWith(1);
    receiver.respond((_, index) => (index === 0 ? { delayMs: 1_500 } : { hangUp: true }));
    const delivery = newDelivery({ timeoutSeconds: 1, retryScheduleSeconds: [0, 0, 0] });
    await delivery.runLane(directory.id);
    await delivery.runLane(directory.id);
    await test.sync.directories.update(directory.id, { webhook_url: 'http://127.0.0.1:1/' });
    await delivery.runLane(directory.id);
    const [event] = await test.eventsOf(directory);
    const { data } = await test.sync.events.get(event?.id ?? '');
    expect(data?.attempts.map(({ status_code }) => status_code)).toEqual([null, null, null]);
    expect(data?.attempts[0]?.error).toBe('no answer within 1000 ms');
    expect(data?.attempts[2]?.error).toContain('ECONNREFUSED');
  });

  it('refuses a private address at the socket, whatever the name says', async () => {
    const directory = await directoryWith(1, {
      webhook_url: receiver.url.replace('127.0.0.1', 'localhost'),
    });
    const strict = newDelivery({}, false);
    expect((await strict.runLane(directory.id)).reason).toBe('waiting');
    expect(receiver.received).toEqual([]);
  });

  it('logs payload and answer of each attempt only where the directory asks for it', async () => {
    const [logging, silent] = [
      await directoryWith(1, { log_webhook_events: true }),
      await directoryWith(1),
    ];
    receiver.respond(() => ({ status: 200, body: `${'x'.repeat(3_000)}` }));
    const delivery = newDelivery();
    await delivery.runLane(logging.id);
    await delivery.runLane(silent.id);
    const { data } = await test.sync.webhookLogs.getAll({ directoryId: logging.id });
    expect(data).toMatchObject([
      { status_code: 200, webhook_endpoint: `${receiver.url}/hook`, response: 'x'.repeat(2_048) },
    ]);
    expect(data?.[0]?.payload).toEqual(JSON.parse(receiver.received[0]?.body ?? ''));
    expect((await test.sync.webhookLogs.getAll({ directoryId: silent.id })).data).toEqual([]);
  });
});

describe('two workers', () => {
  it('never deliver one lane at once, and lose nothing between them', async () => {
    const directory = await directoryWith(40);
    let inFlight = 0;
    let mostAtOnce = 0;
    receiver.respond(() => {
      inFlight++;
      mostAtOnce = Math.max(mostAtOnce, inFlight);
      setTimeout(() => inFlight--, 5);
      return { delayMs: 5 };
    });
    const workers = [newDelivery(), newDelivery(), newDelivery()];
    const runs = await Promise.all(workers.map((worker) => worker.runLane(directory.id)));
    expect(runs.map(({ reason }) => reason).sort()).toEqual(['busy', 'busy', 'idle']);
    expect(mostAtOnce).toBe(1);
    expect(namesReceived()).toEqual(Array.from({ length: 40 }, (_, n) => `user-${n}`));
  });

  it('take over a lane whose worker died, once its lease is over', async () => {
    const directory = await directoryWith(1);
    await database.query(
      `UPDATE dsync.lanes SET leased_by = gen_random_uuid(), leased_until = now() + interval '1 hour'
        WHERE directory_id = $1`,
      [directory.id],
    );
    const delivery = newDelivery();
    expect(await delivery.runLane(directory.id)).toEqual({ reason: 'busy' });
    expect(await delivery.idleLanes()).not.toContain(directory.id);
    await database.query(
      `UPDATE dsync.lanes SET leased_until = now() - interval '1 second' WHERE directory_id = $1`,
      [directory.id],
    );
    expect(await delivery.idleLanes()).toContain(directory.id);
    expect(await delivery.runLane(directory.id)).toEqual({ reason: 'idle' });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('seen in Polis', () => {
  it('a dead webhook neither delays the request of the provider nor loses the event', async () => {
    const directory = await directoryWith(0);
    receiver.respond(() => ({ status: 500, delayMs: 1_000 }));
    const startedAt = performance.now();
    const { status } = await directory.send('POST', '/Users', user('ann'));
    expect([status, performance.now() - startedAt < 900]).toEqual([201, true]);
    expect(await statesOf(directory)).toEqual(['pending']);
  });

  it('a 204 is delivered, and delivered once; one failing directory holds up no other', async () => {
    const failing = await directoryWith(1);
    const healthy = await directoryWith(1, { webhook_url: `${receiver.url}/healthy` });
    receiver.respond(({ path }) => ({ status: path === '/healthy' ? 204 : 500 }));
    const delivery = newDelivery({ retryScheduleSeconds: [60] });
    await Promise.all([failing, healthy, failing, healthy].map(({ id }) => delivery.runLane(id)));
    expect(receiver.received.filter(({ path }) => path === '/healthy')).toHaveLength(1);
    expect([await statesOf(failing), await statesOf(healthy)]).toEqual([
      ['pending'],
      ['delivered'],
    ]);
  });
});

describe('events.processBatch', () => {
  it('wakes every directory with undelivered events, and waits for them when asked', async () => {
    const directory = await directoryWith(2);
    test.woken.length = 0;
    const { data } = await test.sync.events.processBatch({ directoryId: directory.id });
    expect([data, test.woken]).toEqual([{ directories: 1, events: 2 }, [directory.id]]);
    const delivered = newDelivery().runLane(directory.id);
    const waited = await test.sync.events.processBatch({ directoryId: directory.id, wait: 5 });
    await delivered;
    expect(waited.error).toBeNull();
    expect(await statesOf(directory)).toEqual(['delivered', 'delivered']);
    const left = await test.sync.events.processBatch({ directoryId: directory.id });
    expect(left.data).toEqual({ directories: 0, events: 0 });
    expect((await test.sync.events.processBatch({ wait: 61 })).error?.code).toBe(400);
  });

  it('lets an event of a directory that was deactivated meanwhile be logged only', async () => {
    const directory = await directoryWith(1);
    await test.sync.directories.update(directory.id, { deactivated: true });
    await newDelivery().runLane(directory.id);
    expect([await statesOf(directory), receiver.received]).toEqual([['not_sent'], []]);
  });
});

it('an event of a change that a provider makes twice is one event', async () => {
  const directory = await directoryWith(1);
  const { data } = await directory.send('GET', '/Users');
  const change = patch({ op: 'replace', path: 'active', value: false });
  for (let n = 0; n < 2; n++) {
    await directory.send('PATCH', `/Users/${data.Resources[0].id}`, change);
  }
  await newDelivery().runLane(directory.id);
  expect(receiver.received).toHaveLength(2);
});
