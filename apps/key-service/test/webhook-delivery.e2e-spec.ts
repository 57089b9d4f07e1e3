/** The delivery of key events to their endpoints, by a lane as the worker runs it. */
import { KeyRing } from '@gatehouse/crypto';
import { createDelivery, type Delivery, KEY_EVENTS, plainSystem } from '@gatehouse/delivery';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../src/data-source.js';
import { ENCRYPTION_KEY } from './key-stack.js';
import { HEADERS, useWebhooks } from './webhook-fixture.js';

const fixture = useWebhooks();
let dataSource: DataSource;
let delivery: Delivery;

beforeAll(async () => {
  dataSource = await createDataSource(fixture.service.database.url).initialize();
  delivery = createDelivery({
    sql: sqlOf(dataSource),
    system: plainSystem(KEY_EVENTS.schema, KeyRing.fromTexts([ENCRYPTION_KEY])),
    outbound: { allowPrivate: true },
    settings: {
      retryScheduleSeconds: [5],
      timeoutSeconds: 2,
      turnSeconds: 20,
      eventAttempts: 2,
      batchSize: 0,
    },
    logger: { warn: () => undefined },
  });
});
afterAll(async () => {
  await delivery.close();
  await dataSource.destroy();
});

const deliver = async () => {
  for (const id of await delivery.endpointsOf(KEY_EVENTS.sourceId)) await delivery.runLane(id);
};

describe('the delivery', () => {
  it('sends every event from now on, signed, in order, with the headers of the endpoint', async () => {
    await fixture.service.issue();
    const { secret } = await fixture.create({ headers: HEADERS });
    const { key } = await fixture.service.issue({
      actor_id: 'hooked',
      metadata: { mail: 'c@d.example' },
    });
    await fixture.service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    await deliver();
    expect(fixture.bodies()).toMatchObject([
      { event: 'key.issued', data: { key_id: key.key_id, actor_id: 'hooked' } },
      { event: 'key.revoked', data: { key_id: key.key_id, metadata: { mail: 'c@d.example' } } },
    ]);
    expect([fixture.isSignedBy(secret, 0), fixture.isSignedBy(secret, 1)]).toEqual([true, true]);
    expect(fixture.receiver.received[0]?.headers).toMatchObject({
      authorization: HEADERS.Authorization,
      'x-team': 'checkout',
      'webhook-id': fixture.bodies()[0].id,
    });
    const { body: log } = await fixture.service.admin('GET', '/keyEvents?page_size=1000');
    expect(log.key_events.slice(-2)).toEqual(fixture.bodies());
  });

  it('tells of an exposed key without its credential', async () => {
    const { key, secret } = await fixture.service.issue();
    await fixture.create({ types: ['key.exposed'] });
    const requests = [{ credential: secret, url: `https://git.example.com/${secret}` }];
    await fixture.service.admin('POST', '/apiKeys:reportLeaks', { requests });
    await deliver();
    expect(fixture.bodies()).toMatchObject([
      { event: 'key.exposed', data: { key_id: key.key_id, url: 'https://git.example.com/…' } },
    ]);
    expect(fixture.receiver.received[0]?.body).not.toContain(secret);
  });

  it('sends only the types that the endpoint wants', async () => {
    await fixture.create({ types: ['key.revoked'] });
    const { key } = await fixture.service.issue();
    await fixture.service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    await deliver();
    expect(fixture.bodies().map(({ event }) => event)).toEqual(['key.revoked']);
  });

  it('is signed by both secrets during the grace period, and by the new one after it', async () => {
    const { secret, path } = await fixture.create();
    const rotated = await fixture.service.admin('POST', `${path}:rotateSecret`, {
      grace_period: '1h',
    });
    await fixture.service.issue();
    await deliver();
    expect([fixture.isSignedBy(secret), fixture.isSignedBy(rotated.body.secret)]).toEqual([
      true,
      true,
    ]);
    const own = 'whsec_b3duLXNlY3JldC1vZi10aGUtb3duZXI=';
    const last = await fixture.service.admin('POST', `${path}:rotateSecret`, { secret: own });
    expect(last.body.secret).toBe(own);
    await fixture.service.issue();
    await deliver();
    const signs = [secret, rotated.body.secret, own].map((each: string) =>
      fixture.isSignedBy(each, 1),
    );
    expect(signs).toEqual([false, false, true]);
  });

  it('stops while the endpoint is paused, and continues with what waited', async () => {
    const { path } = await fixture.create();
    const paused = await fixture.service.admin('POST', `${path}:pause`);
    expect(paused.body).toMatchObject({
      state: 'WEBHOOK_ENDPOINT_STATE_PAUSED',
      reason: 'paused by an administrator',
      next_attempt_time: null,
    });
    const { key } = await fixture.service.issue();
    await fixture.service.admin('PATCH', path, { url: `${fixture.receiver.url}/moved` });
    await deliver();
    expect(fixture.bodies()).toEqual([]);
    const resumed = await fixture.service.admin('POST', `${path}:resume`);
    expect(resumed.body.state).toBe('WEBHOOK_ENDPOINT_STATE_HEALTHY');
    await deliver();
    expect(fixture.bodies()).toMatchObject([{ event: 'key.issued', data: { key_id: key.key_id } }]);
    expect(fixture.receiver.received[0]?.path).toBe('/moved');
  });

  it('shows why an endpoint fails; a new URL ends that', async () => {
    const { path } = await fixture.create();
    fixture.receiver.respond(() => ({ status: 503 }));
    await fixture.service.issue();
    await deliver();
    const { body } = await fixture.service.admin('GET', path);
    expect(body).toMatchObject({
      state: 'WEBHOOK_ENDPOINT_STATE_FAILING',
      failures: 1,
      reason: 'the endpoint answered 503',
    });
    expect([body.failing_since, body.next_attempt_time]).not.toContain(null);
    const moved = await fixture.service.admin('PATCH', path, {
      url: `${fixture.receiver.url}/new`,
    });
    expect(moved.body).toMatchObject({
      state: 'WEBHOOK_ENDPOINT_STATE_HEALTHY',
      failures: 0,
      next_attempt_time: null,
    });
  });
});
