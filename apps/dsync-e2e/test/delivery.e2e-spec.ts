/** The API and the worker run on the same stores: the worker delivers what the API accepts. */
import {
  addLaneClaims,
  createDeliveryTables,
  eventLogStatements,
  KEY_EVENTS,
} from '@gatehouse/delivery';
import * as testing from '@gatehouse/testing';
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import {
  manage,
  newDirectory,
  openSyncStack,
  type Service,
  type TestDirectory,
  user,
} from './sync-stack.js';

let stack: testing.TestStack;
let api: Service;
let receiver: testing.WebhookReceiver;

const SECRET = 'a-secret-of-the-receiver-0123456789';

beforeAll(async () => {
  stack = await openSyncStack();
  api = await stack.start('dsync-api');
});

beforeEach(async () => {
  receiver = await testing.startWebhookReceiver();
});

afterEach(() => receiver.close());

afterAll(() => stack.close());

const hook = (path = '/hook') => ({ webhook_url: receiver.url + path, webhook_secret: SECRET });

const namesAt = (path = '/hook') =>
  receiver.received
    .filter((each) => each.path === path)
    .map(({ body }) => JSON.parse(body).data.raw.userName as string);

const inOrder = (count: number) => Array.from({ length: count }, (_, n) => `user-${n}`);

/** `data` of an event of the key service. */
const keyNamed = (name: string) => ({
  key_id: randomUUID(),
  kind: 'issued',
  name,
  actor_id: 'a',
  metadata: {},
  expire_time: null,
  visibility: 'KEY_VISIBILITY_SECRET',
  status: 'KEY_STATUS_ACTIVE',
});

/** Deliveries that a worker may repeat that takes over from a dead one. */
const UNRECORDED_MAX = 50;

describe('delivery', () => {
  it('sends what was committed while another worker had the lane, without a sweep', async () => {
    const worker = await stack.start('dsync-worker', { DSYNC_SWEEP_INTERVAL: '1h' });
    const directory = await newDirectory(api, hook());
    await directory.scim('POST', '/Users', user('user-0'));
    await receiver.waitFor(1);
    // The first delivery is recorded once its lease is given back.
    await testing.eventually(async () => {
      const leased = await stack.database.query(
        `UPDATE dsync.endpoints SET leased_by = gen_random_uuid(), leased_until = now() + interval '2 s'
          WHERE source_id = $1 AND leased_by IS NULL RETURNING id`,
        [directory.id],
      );
      expect(leased).toHaveLength(1);
    });
    await directory.scim('POST', '/Users', user('user-1'));
    await receiver.waitFor(2);
    expect(namesAt()).toEqual(inOrder(2));
    await worker.stop();
  });

  it('sends each change signed and in order, soon after it was made', async () => {
    const worker = await stack.start('dsync-worker');
    const directory = await newDirectory(api, hook());
    for (const name of inOrder(10)) await directory.scim('POST', '/Users', user(name));
    await receiver.waitFor(10);
    expect(namesAt()).toEqual(inOrder(10));
    for (const { body, headers } of receiver.received) {
      const verified = new Webhook(SECRET, { format: 'raw' }).verify(
        body,
        headers as Record<string, string>,
      );
      expect(verified).toMatchObject({ event: 'user.created', directory_id: directory.id });
    }
    const waited = await manage(api, 'POST', '/cron/process-events?wait=10');
    expect(waited.status).toBe(200);
    const status = await manage(api, 'GET', `/${directory.id}/status`);
    expect(status.body.data).toMatchObject({ pending: 0, webhook: { state: 'healthy' } });
    await worker.stop();
  });

  it('retries until the endpoint recovers, without delaying other directories', async () => {
    const worker = await stack.start('dsync-worker', { DSYNC_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1' });
    const failing = await newDirectory(api, hook('/failing'));
    const healthy = await newDirectory(api, hook('/healthy'));
    let isBack = false;
    receiver.respond(({ path }) => ({ status: path === '/failing' && !isBack ? 500 : 200 }));
    for (const name of inOrder(3)) {
      await failing.scim('POST', '/Users', user(name));
      await healthy.scim('POST', '/Users', user(name));
    }
    await testing.eventually(() => expect(namesAt('/healthy')).toEqual(inOrder(3)));
    await testing.eventually(() => expect(namesAt('/failing').length).toBeGreaterThan(1));
    expect(new Set(namesAt('/failing'))).toEqual(new Set(['user-0']));
    isBack = true;
    await testing.eventually(() => expect(namesAt('/failing').slice(-3)).toEqual(inOrder(3)), {
      timeoutMs: 15_000,
    });
    await worker.stop();
  });

  it('also delivers the events of another service, in order', async () => {
    const { query, serviceUrl } = stack.database;
    await query('CREATE SCHEMA keys');
    const statements = [...createDeliveryTables('keys'), ...addLaneClaims('keys')];
    for (const statement of statements) await query(statement);
    await query(
      `INSERT INTO keys.endpoints (source_id, url, cursor) VALUES ('${KEY_EVENTS.sourceId}', $1, 0)`,
      [`${receiver.url}/keys`],
    );
    const worker = await stack.start('dsync-worker', {
      KEYS_DATABASE_URL: serviceUrl,
      KEYS_ENCRYPTION_KEYS: 'an-encryption-key-of-the-key-service',
      DSYNC_SWEEP_INTERVAL: '1',
    });
    const { insertOne } = eventLogStatements('keys');
    for (const n of [1, 2, 3]) {
      await query(insertOne.text, [
        KEY_EVENTS.sourceId,
        'key.issued',
        JSON.stringify(keyNamed(`${n}`)),
      ]);
    }
    await receiver.waitFor(3);
    const bodies = receiver.received.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ event, data }) => [event, data.name])).toEqual(
      ['1', '2', '3'].map((name) => ['key.issued', name]),
    );
    expect(await worker.stop()).toBe(0);
  });

  it('loses no event when a worker is killed while it delivers', async () => {
    const victim = await stack.start('dsync-worker', { DSYNC_WEBHOOK_TIMEOUT: '1' });
    const directory = await newDirectory(api, hook());
    receiver.respond(() => ({ delayMs: 20 }));
    for (const name of inOrder(30)) await directory.scim('POST', '/Users', user(name));
    await receiver.waitFor(5);
    await victim.kill();
    const heir = await stack.start('dsync-worker', {
      DSYNC_SWEEP_INTERVAL: '1',
      DSYNC_WEBHOOK_TIMEOUT: '1',
    });
    await receiver.waitFor(() => new Set(namesAt()).size === 30, 25_000);
    // At least once: what was not recorded may arrive twice, but nothing out of order.
    const firstTimes = namesAt().filter((name, index, all) => all.indexOf(name) === index);
    expect(firstTimes).toEqual(inOrder(30));
    expect(namesAt().length).toBeLessThanOrEqual(30 + UNRECORDED_MAX);
    await heir.stop();
  });

  it('accepts requests without Redis and delivers their events later', async () => {
    const port = await testing.freePort();
    const without = await stack.start('dsync-api', { REDIS_URL: `redis://127.0.0.1:${port}` });
    const directory = await newDirectory(without, hook());
    const createTime = async ({ scim }: TestDirectory) => {
      const startedAt = performance.now();
      expect((await scim('POST', '/Users', user('user-0'))).status).toBe(201);
      return performance.now() - startedAt;
    };
    const withRedisMs = await createTime(await newDirectory(api));
    // A response that waited for Redis would wait for several attempts to connect.
    expect(await createTime(directory)).toBeLessThan(100 * Math.max(withRedisMs, 20));
    const worker = await stack.start('dsync-worker', { DSYNC_SWEEP_INTERVAL: '1' });
    await receiver.waitFor(1);
    expect(namesAt()).toEqual(['user-0']);
    await testing.eventually(async () => {
      const metrics = await worker.metrics();
      expect(metrics).toMatch(/^dsync_lanes_waiting{.*system="dsync".*} 0$/m);
      expect(metrics).toMatch(/^dsync_oldest_pending_event_age_seconds{.*} 0$/m);
      expect(metrics).toMatch(/^dsync_delivery_attempts_total{.*outcome="delivered".*} [1-9]/m);
      expect(metrics).toMatch(/^dsync_delivery_attempts_total{.*outcome="gone".*} 0$/m);
      expect(metrics).toMatch(/^dsync_lane_duration_seconds_count{.*end="idle".*} [1-9]/m);
      expect(metrics).toMatch(/^dsync_lane_duration_seconds_count{.*end="failed".*} 0$/m);
    });
    await worker.stop();
  });

  it('two workers side by side deliver every lane once', async () => {
    const workers = await Promise.all([stack.start('dsync-worker'), stack.start('dsync-worker')]);
    const directories = await Promise.all([1, 2, 3].map((n) => newDirectory(api, hook(`/${n}`))));
    await Promise.all(
      directories.map(async (directory) => {
        for (const name of inOrder(20)) await directory.scim('POST', '/Users', user(name));
      }),
    );
    await receiver.waitFor(60, 20_000);
    for (const n of [1, 2, 3]) expect(namesAt(`/${n}`)).toEqual(inOrder(20));
    await Promise.all(workers.map((worker) => worker.stop()));
  });
});
