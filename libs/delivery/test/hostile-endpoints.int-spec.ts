import { randomUUID } from 'node:crypto';
import { LaneRepository } from '../src/lane/lane.repository.js';
import { SCHEMA, useDelivery } from './fixture.js';

const fixture = useDelivery();

const attempts = () =>
  fixture.database.query<{ url: string; payload: unknown; at: Date }>(
    `SELECT url, payload, at FROM ${SCHEMA}.delivery_attempts WHERE endpoint_id = $1 ORDER BY id`,
    [fixture.endpointId],
  );
const update = async (settings: object) => {
  const current = await fixture.endpoint();
  await fixture.endpoints.update(fixture.sql, fixture.key(), { ...current, ...settings });
};

it('begins the schedule anew once the endpoint has taken a delivery', async () => {
  for (const n of [0, 1]) await fixture.write(n);
  fixture.receiver.respond((_, index) => ({ status: [503, 503, 200, 429][index] ?? 200 }));
  const settings = { retryScheduleSeconds: [5, 30, 3_600, 3_600] };
  for (let turn = 0; turn < 3; turn++) await fixture.runDue(settings);
  const { state, nextAttemptAt } = await fixture.endpoint();
  expect(state).toBe('failing');
  expect((nextAttemptAt?.getTime() ?? 0) - Date.now()).toBeLessThan(30_000);
});

it('ends its turn between two events, so that changed settings count soon', async () => {
  for (let n = 0; n < 10; n++) await fixture.write(n);
  fixture.receiver.respond(() => ({ delayMs: 100 }));
  const running = fixture.runDue({ turnSeconds: 0.25 });
  await fixture.receiver.waitFor(1);
  await update({ url: `${fixture.receiver.url}/new` });
  expect(await running).toEqual({ reason: 'yielded' });
  const sent = fixture.receiver.received.map(({ path }) => path);
  expect(sent.length).toBeLessThan(6);
  expect((await attempts()).map(({ url }) => new URL(url).pathname)).toEqual(sent);
});

it('logs the payload of a batch once', async () => {
  await update({ logsAttempts: true });
  for (let n = 0; n < 5; n++) await fixture.write(n);
  await fixture.runDue({ batchSize: 10 });
  const payloads = (await attempts()).map(({ payload }) => payload);
  expect(payloads).toEqual([expect.any(Array), null, null, null, null]);
});

it('records attempts whatever the clock of the worker shows', async () => {
  const lanes = new LaneRepository(fixture.sql, SCHEMA);
  const runId = randomUUID();
  await fixture.write(0);
  await lanes.claim(fixture.key(), runId);
  const attempt = {
    eventId: randomUUID(),
    url: 'https://example.com/',
    at: new Date(0),
    statusCode: 200,
    durationMs: 1,
    error: null,
    payload: null,
    response: null,
  };
  const recorded = { endpoint: fixture.key(), runId, replayId: null, cursor: '0', releases: true };
  expect(await lanes.record({ ...recorded, cursorAt: new Date(), attempts: [attempt] })).toBe(true);
  const [logged] = await attempts();
  expect(Date.now() - (logged?.at.getTime() ?? 0)).toBeLessThan(2 * 3_600_000);
});

it('reads few events at once if they are large, however well they can be compressed', async () => {
  await fixture.database.query(
    `INSERT INTO ${SCHEMA}.events (source_id, type, data)
      SELECT $1, 'parcel.sent', json_build_object('n', n, 'text', repeat('x', 500000))
      FROM generate_series(0, 9) n`,
    [fixture.sourceId],
  );
  const claim = await new LaneRepository(fixture.sql, SCHEMA).claim(fixture.key(), randomUUID());
  expect(claim?.events).toHaveLength(2);
  expect(claim?.hasMore).toBe(true);
});
