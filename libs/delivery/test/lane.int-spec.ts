import { OutboundClosed } from '@gatehouse/kit/outbound';
import { OPERATIONS_SOURCE } from '../src/index.js';
import { SCHEMA, useDelivery } from './fixture.js';

const fixture = useDelivery();
const bodyOf = (body: string) => JSON.parse(body) as { event: string; data: { n: number } };
const isPoison = ({ body }: { body: string }, n = 1) => bodyOf(body).data.n === n;

const notices = async () => {
  const events = await fixture.log.listAll([OPERATIONS_SOURCE], '0', 1_000);
  return events
    .filter(({ data }) => (data as { source_id: string }).source_id === fixture.sourceId)
    .map(({ type }) => type);
};
const attempts = async () => {
  const [row] = await fixture.database.query<{ count: number }>(
    `SELECT count(*)::integer FROM ${SCHEMA}.delivery_attempts WHERE endpoint_id = $1`,
    [fixture.endpointId],
  );
  return row?.count;
};

it('delivers every event once, in order, and records each attempt', async () => {
  for (let n = 0; n < 250; n++) await fixture.write(n);
  expect(await fixture.runDue()).toEqual({ reason: 'idle' });
  expect(fixture.arrived()).toEqual(Array.from({ length: 250 }, (_, n) => n));
  expect(await attempts()).toBe(250);
  expect(await fixture.runDue()).toEqual({ reason: 'idle' });
  expect(fixture.arrived()).toHaveLength(250);
});

describe('an endpoint that is down', () => {
  it.each([
    ['an error of the server', { status: 500 }],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
    ['too many requests', { status: 429 }],
    ['a closed connection', { hangUp: true }],
  ])('fails, is paused after the schedule, and loses no event: %s', async (_, answer) => {
    for (let n = 0; n < 3; n++) await fixture.write(n);
    fixture.receiver.respond(() => answer);
    for (const state of ['failing', 'failing', 'paused', 'paused']) {
      expect(await fixture.runDue()).toMatchObject({ reason: 'waiting' });
      expect((await fixture.endpoint()).state).toBe(state);
    }
    expect(fixture.receiver.received).toHaveLength(4);
    const { failingSince, nextAttemptAt, reason } = await fixture.endpoint();
    expect(failingSince).not.toBeNull();
    expect(reason).toMatch(/answered|closed|ECONNRESET/);
    const hours = ((nextAttemptAt?.getTime() ?? 0) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(0.85);
    expect(hours).toBeLessThan(1.15);
    expect(await fixture.parked()).toEqual([]);

    fixture.receiver.respond(() => ({}));
    expect(await fixture.runDue()).toEqual({ reason: 'idle' });
    expect(fixture.arrived().slice(4)).toEqual([0, 1, 2]);
    expect(await fixture.endpoint()).toMatchObject({
      state: 'healthy',
      failingSince: null,
      reason: null,
      failures: 0,
    });
    expect(await notices()).toEqual(['webhook.failing', 'webhook.paused', 'webhook.recovered']);
  });

  it('waits for as long as Retry-After asks', async () => {
    await fixture.write(0);
    fixture.receiver.respond(() => ({ status: 503, headers: { 'retry-after': '600' } }));
    await fixture.runDue();
    const { nextAttemptAt } = await fixture.endpoint();
    expect((nextAttemptAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(590_000);
  });

  it('gets no attempt before it is due', async () => {
    await fixture.write(0);
    fixture.receiver.respond(() => ({ status: 500 }));
    await fixture.runDue();
    expect(await fixture.delivery().runLane(fixture.key())).toMatchObject({
      reason: 'waiting',
    });
    expect(fixture.receiver.received).toHaveLength(1);
  });
});

describe('an event that is refused while others are accepted', () => {
  it('is parked after its attempts and a ping, and the lane goes on', async () => {
    for (let n = 0; n < 3; n++) await fixture.write(n);
    fixture.receiver.respond((webhook) => ({ status: isPoison(webhook) ? 422 : 200 }));
    expect(await fixture.runDue()).toMatchObject({ reason: 'waiting' });
    expect((await fixture.endpoint()).state).toBe('healthy');
    expect((await fixture.endpoint()).nextAttemptAt).not.toBeNull();
    expect(await fixture.runDue()).toEqual({ reason: 'idle' });
    expect((await fixture.endpoint()).nextAttemptAt).toBeNull();
    expect(fixture.arrived()).toEqual([0, 1, 1, 2]);
    expect(await fixture.parked()).toMatchObject([
      { reason: 'the endpoint answered 422', attempts: 2 },
    ]);
    expect(await notices()).toEqual(['event.parked']);
  });

  it('is not parked while the endpoint refuses everything', async () => {
    for (let n = 0; n < 2; n++) await fixture.write(n);
    fixture.receiver.respond(() => ({ status: 401 }));
    for (let turn = 0; turn < 6; turn++) await fixture.runDue();
    expect(await fixture.parked()).toEqual([]);
    expect((await fixture.endpoint()).state).toBe('paused');
    fixture.receiver.respond(() => ({}));
    await fixture.runDue();
    expect(fixture.arrived().slice(-2)).toEqual([0, 1]);
  });

  it('has its own attempts in the log, and the endpoint the fault of the ping', async () => {
    await fixture.write(0);
    fixture.receiver.respond(({ body }) =>
      bodyOf(body).event === 'webhook.ping'
        ? { status: 503, headers: { 'retry-after': '600' } }
        : { status: 422 },
    );
    await fixture.runDue();
    await fixture.runDue();
    const logged = await fixture.database.query<{ status_code: number }>(
      `SELECT status_code FROM ${SCHEMA}.delivery_attempts WHERE endpoint_id = $1`,
      [fixture.endpointId],
    );
    expect(logged.map(({ status_code }) => status_code)).toEqual([422, 422]);
    const { reason, nextAttemptAt } = await fixture.endpoint();
    expect(reason).toBe('the endpoint answered 503');
    expect((nextAttemptAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(590_000);
  });

  it('is parked at once for Webhook-Delivery: abort-message', async () => {
    for (let n = 0; n < 3; n++) await fixture.write(n);
    const headers = { 'webhook-delivery': 'abort-message' };
    fixture.receiver.respond((webhook) => (isPoison(webhook) ? { status: 400, headers } : {}));
    expect(await fixture.runDue()).toEqual({ reason: 'idle' });
    expect(fixture.arrived()).toEqual([0, 1, 2]);
    expect(await fixture.parked()).toMatchObject([{ attempts: 1 }]);
  });

  it('blocks the lane if the endpoint wants that', async () => {
    const current = await fixture.endpoint();
    const settings = { ...current, onPoison: 'block' } as const;
    await fixture.endpoints.update(fixture.sql, fixture.key(), settings);
    for (let n = 0; n < 3; n++) await fixture.write(n);
    fixture.receiver.respond((webhook) => ({ status: isPoison(webhook) ? 422 : 200 }));
    for (let turn = 0; turn < 4; turn++) await fixture.runDue();
    expect(new Set(fixture.arrived())).toEqual(new Set([0, 1]));
    expect(await fixture.parked()).toEqual([]);
    expect((await fixture.endpoint()).state).not.toBe('healthy');
  });
});

it('stops after 410, and starts over with the next event after a restart', async () => {
  await fixture.write(0);
  fixture.receiver.respond(() => ({ status: 410 }));
  expect(await fixture.runDue()).toEqual({ reason: 'idle' });
  await fixture.write(1);
  expect(await fixture.runDue()).toEqual({ reason: 'idle' });
  expect(await fixture.endpoint()).toMatchObject({ state: 'stopped' });
  expect(fixture.arrived()).toEqual([0]);
  fixture.receiver.respond(() => ({}));
  await fixture.endpoints.restart(fixture.sql, fixture.key());
  await fixture.write(2);
  await fixture.runDue();
  expect(fixture.arrived()).toEqual([0, 2]);
});

it('sends nothing more once it is paused, and goes on where it was', async () => {
  for (let n = 0; n < 150; n++) await fixture.write(n);
  fixture.receiver.respond((_, index) => ({ delayMs: index === 0 ? 300 : 0 }));
  const running = fixture.runDue();
  await fixture.receiver.waitFor(1);
  await fixture.endpoints.pause(fixture.sql, fixture.key(), 'paused');
  expect(await running).toEqual({ reason: 'idle' });
  const before = fixture.arrived().length;
  expect(before).toBeLessThanOrEqual(100);
  await fixture.endpoints.resume(fixture.sql, fixture.key());
  await fixture.runDue();
  expect(fixture.arrived()).toEqual(Array.from({ length: 150 }, (_, n) => n));
});

it('does not go back behind a restart that came while it delivered', async () => {
  await fixture.write(0);
  fixture.receiver.respond(() => ({ delayMs: 300 }));
  const running = fixture.runDue();
  await fixture.receiver.waitFor(1);
  await fixture.write(1);
  await fixture.endpoints.restart(fixture.sql, fixture.key());
  await running;
  await fixture.runDue();
  expect(fixture.arrived()).toEqual([0]);
});

it('repeats nothing that was delivered before a shutdown cut off an attempt', async () => {
  for (let n = 0; n < 4; n++) await fixture.write(n);
  fixture.receiver.respond((_, index) => ({ delayMs: index === 3 ? 1_000 : 0 }));
  // A worker of its own, which the other tests do not close.
  const worker = fixture.delivery({ turnSeconds: 19 });
  const run = expect(worker.runLane(fixture.key())).rejects.toThrow(OutboundClosed);
  await fixture.receiver.waitFor(4);
  await worker.close();
  await run;
  await fixture.runDue();
  expect(fixture.arrived()).toEqual([0, 1, 2, 3, 3]);
});

describe('batches', () => {
  it('send several events in one array', async () => {
    for (let n = 0; n < 25; n++) await fixture.write(n);
    expect(await fixture.runDue({ batchSize: 10 })).toEqual({ reason: 'idle' });
    const sizes = fixture.receiver.received.map(({ body }) => (JSON.parse(body) as []).length);
    expect(sizes).toEqual([10, 10, 5]);
    expect(fixture.arrived()).toEqual(Array.from({ length: 25 }, (_, n) => n));
  });

  it('find the event that is refused by sending them one by one', async () => {
    for (let n = 0; n < 5; n++) await fixture.write(n);
    const refuses = (body: string) => {
      const events = JSON.parse(body) as { data: { n: number } }[] | object;
      return Array.isArray(events) && events.some(({ data }) => data.n === 2);
    };
    fixture.receiver.respond(({ body }) => ({ status: refuses(body) ? 422 : 200 }));
    for (let turn = 0; turn < 2; turn++) await fixture.runDue({ batchSize: 10 });
    expect(await fixture.parked()).toHaveLength(1);
    expect(fixture.arrived().slice(-2)).toEqual([3, 4]);
  });
});

it('delivers only the types of the endpoint, and is not due for others', async () => {
  const settings = { ...(await fixture.endpoint()), types: ['parcel.lost'] };
  await fixture.endpoints.update(fixture.sql, fixture.key(), settings);
  await fixture.write(0);
  await fixture.write(1, 'parcel.lost');
  await fixture.write(2);
  expect(await fixture.delivery().sweep()).toContain(fixture.sourceId);
  await fixture.runDue();
  expect(fixture.arrived()).toEqual([1]);
  expect(await fixture.delivery().sweep()).not.toContain(fixture.sourceId);
});

it('is found by the sweep for as long as an event is undelivered', async () => {
  expect(await fixture.delivery().sweep()).not.toContain(fixture.sourceId);
  await fixture.write(0);
  expect(await fixture.delivery().sweep()).toContain(fixture.sourceId);
  expect(await fixture.delivery().sweep()).toContain(fixture.sourceId);
  expect(await fixture.delivery().backlog()).toMatchObject({ waiting: 1, due: 1 });
  await fixture.runDue();
  expect(await fixture.delivery().sweep()).not.toContain(fixture.sourceId);
  expect(await fixture.delivery().backlog()).toMatchObject({
    waiting: 0,
    oldestAgeSeconds: 0,
    due: 0,
    oldestDueAgeSeconds: 0,
  });
});

it('is run by one worker at a time', async () => {
  await fixture.write(0);
  let answer: (() => void) | undefined;
  fixture.receiver.respond(() => ({
    answerBy: (response) => (answer = () => void response.writeHead(200).end()),
  }));
  const first = fixture.runDue();
  await fixture.receiver.waitFor(1);
  const others = await Promise.all(Array.from({ length: 4 }, () => fixture.runDue()));
  expect(others.map(({ reason }) => reason)).toEqual(Array(4).fill('busy'));
  answer?.();
  await first;
  expect(fixture.arrived()).toEqual([0]);
});

it('signs with the current and the former secret, and sends the headers of the endpoint', async () => {
  const settings = {
    ...(await fixture.endpoint()),
    secretSealed: 'sealed:first-secret-of-16',
    headersSealed: `sealed:${JSON.stringify({ 'x-team': 'parcels' })}`,
  };
  await fixture.endpoints.update(fixture.sql, fixture.key(), settings);
  await fixture.endpoints.rotateSecret(fixture.sql, fixture.key(), 'sealed:second', 60);
  await fixture.write(0);
  await fixture.runDue();
  const [webhook] = fixture.receiver.received;
  expect(webhook?.headers).toMatchObject({ 'x-team': 'parcels' });
  expect(String(webhook?.headers['webhook-signature']).split(' ')).toHaveLength(2);
});
