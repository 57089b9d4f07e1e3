import { randomUUID } from 'node:crypto';
import { type ServerResponse } from 'node:http';
import { type Sql, type Statement } from '@gatehouse/kit/sql';
import { Client } from 'pg';
import { createDelivery, type Delivery } from '../src/index.js';
import { LaneRepository } from '../src/lane/lane.repository.js';
import { SCHEMA, SETTINGS, system, useDelivery } from './fixture.js';

const fixture = useDelivery();

/** A delivery, and the names of the statements that it runs. */
function counted(): { delivery: Delivery; statements: string[] } {
  const statements: string[] = [];
  const sql = Object.assign(Object.create(fixture.sql) as Sql, {
    rows: (statement: Statement, values?: readonly unknown[]) => {
      statements.push(statement.name?.replace(`${SCHEMA}_`, '') ?? statement.text);
      return fixture.sql.rows(statement, values);
    },
  });
  const delivery = createDelivery({
    sql,
    system,
    outbound: { allowPrivate: true },
    settings: SETTINGS,
    logger: { warn: () => undefined },
  });
  return { delivery, statements };
}

const claimed = (lanes: LaneRepository) => lanes.claim(fixture.key(), randomUUID());

const endpointRow = async () => {
  const [row] = await fixture.database.query<{ cursor: string; version: string; leased: boolean }>(
    `SELECT cursor, xmin::text AS version, leased_by IS NOT NULL AS leased FROM ${SCHEMA}.endpoints
      WHERE id = $1`,
    [fixture.endpointId],
  );
  return row;
};

it('takes one claim and one record for a lone event, and gives the lease back', async () => {
  await fixture.write(0);
  const { delivery, statements } = counted();
  expect(await delivery.runLane(fixture.key())).toEqual({ reason: 'idle' });
  expect(fixture.arrived()).toEqual([0]);
  expect(statements).toEqual(['claim_lanes', 'record_lanes']);
  expect(await endpointRow()).toMatchObject({ leased: false });
  await delivery.close();
});

it('takes one claim, and writes nothing, where there is no event', async () => {
  const before = await endpointRow();
  const { delivery, statements } = counted();
  expect(await delivery.runLane(fixture.key())).toEqual({ reason: 'idle' });
  expect(statements).toEqual(['claim_lanes']);
  expect(await endpointRow()).toEqual(before);
  await delivery.close();
});

it('sweeps with one statement while nothing is logged', async () => {
  await fixture.write(0);
  const { delivery, statements } = counted();
  expect(await delivery.sweep()).toEqual([fixture.sourceId]);
  statements.length = 0;
  expect(await delivery.sweep()).toEqual([fixture.sourceId]);
  expect(statements).toEqual(['sweep']);
  await delivery.close();
});

it('sweeps in parts of 100,000 numbers what is far behind', async () => {
  const { delivery, statements } = counted();
  await delivery.sweep();
  await fixture.database.query(
    `SELECT setval('${SCHEMA}.event_sequence', last_value + 250000) FROM ${SCHEMA}.event_sequence`,
  );
  await fixture.write(0);
  statements.length = 0;
  expect(await delivery.sweep()).toEqual([fixture.sourceId]);
  expect(statements).toEqual(['sweep', ...Array<string>(3).fill('mark_endpoints'), 'sweep']);
  await delivery.close();
});

it('leaves a sweep to the worker that is at it', async () => {
  await fixture.write(0);
  const { delivery, statements } = counted();
  const other = new Client(fixture.database.url);
  await other.connect();
  await other.query('BEGIN');
  await other.query(`SELECT FROM ${SCHEMA}.dispatch FOR UPDATE`);
  expect(await delivery.sweep()).toEqual([]);
  expect(statements).toEqual(['sweep', 'mark_endpoints', 'sweep']);
  await other.query('ROLLBACK');
  await other.end();
  expect(await delivery.sweep()).toEqual([fixture.sourceId]);
  await delivery.close();
});

describe('the endpoints of a source', () => {
  const READ = 'endpoints_of_sources';

  it('need no statement after a claim, once', async () => {
    const { delivery, statements } = counted();
    const { sourceId } = fixture;
    const endpoints = async () => {
      statements.length = 0;
      return delivery.endpointsOf(sourceId, () => undefined);
    };
    expect([await endpoints(), statements]).toEqual([[fixture.key()], [READ]]);
    await delivery.runLane(fixture.key());
    expect([await endpoints(), statements]).toEqual([[fixture.key()], []]);
    expect([await endpoints(), statements]).toEqual([[fixture.key()], [READ]]);
    await delivery.close();
  });

  it('are reported as missed when the next claim sees more', async () => {
    const { delivery } = counted();
    const { sourceId } = fixture;
    let missed = 0;
    const endpoints = () => delivery.endpointsOf(sourceId, () => (missed += 1));
    await delivery.runLane(fixture.key());
    const added = await fixture.newEndpoint();
    expect(await endpoints()).toEqual([fixture.key()]);
    expect(missed).toBe(0);
    await delivery.runLane(fixture.key());
    expect(missed).toBe(1);
    expect(await endpoints()).toEqual([fixture.key(), { id: added, sourceId }]);
    await delivery.runLane(fixture.key());
    expect(missed).toBe(1);
    await delivery.close();
  });

  it('are reported as missed when one is gone', async () => {
    const { delivery } = counted();
    await delivery.runLane(fixture.key());
    const { sourceId, sql } = fixture;
    await fixture.endpoints.delete(sql, fixture.key());
    const added = await fixture.newEndpoint();
    let missed = 0;
    const endpoints = () => delivery.endpointsOf(sourceId, () => (missed += 1));
    expect(await endpoints()).toEqual([fixture.key()]);
    expect(await delivery.runLane(fixture.key())).toEqual({ reason: 'busy' });
    expect(missed).toBe(1);
    expect(await endpoints()).toEqual([{ id: added, sourceId }]);
    await delivery.close();
  });

  it.each([
    ['off', `enabled = false`],
    ['paused', `state = 'paused', next_attempt_at = 'infinity'`],
    [
      'held by another run',
      `leased_by = gen_random_uuid(), leased_until = now() + interval '1 day'`,
    ],
  ])('are read again when one is %s', async (_, change) => {
    const { delivery, statements } = counted();
    await delivery.runLane(fixture.key());
    await fixture.database.query(
      `UPDATE ${SCHEMA}.endpoints SET ${change} WHERE id = '${fixture.endpointId}'`,
    );
    await delivery.runLane(fixture.key());
    statements.length = 0;
    await delivery.endpointsOf(fixture.sourceId, () => undefined);
    expect(statements).toEqual([READ]);
    await delivery.close();
  });
});

it('serves lanes together that are run while a statement is under way', async () => {
  const others = await Promise.all(Array.from({ length: 20 }, () => fixture.newEndpoint()));
  await fixture.write(0);
  const { delivery, statements } = counted();
  const { sourceId } = fixture;
  const ids = [fixture.endpointId, ...others];
  // All answers come at once.
  const waiting: ServerResponse[] = [];
  const answerBy = (response: ServerResponse) => {
    waiting.push(response);
    if (waiting.length === ids.length) waiting.forEach((one) => one.end());
  };
  fixture.receiver.respond(() => ({ answerBy }));
  const runs = await Promise.all(ids.map((id) => delivery.runLane({ id, sourceId })));
  expect(runs).toEqual(ids.map(() => ({ reason: 'idle' })));
  expect(fixture.receiver.received).toHaveLength(ids.length);
  const claims = statements.filter((name) => name === 'claim_lanes');
  expect(claims).toHaveLength(2);
  expect(statements.length).toBeLessThan(ids.length);
  await delivery.close();
});

it('fills the requests of lanes that are run together', async () => {
  const others = await Promise.all(Array.from({ length: 20 }, () => fixture.newEndpoint()));
  for (let n = 0; n < 130; n++) await fixture.write(n);
  const { sourceId } = fixture;
  const delivery = fixture.delivery({ batchSize: 120 });
  const ids = [fixture.endpointId, ...others];
  await Promise.all(ids.map((id) => delivery.runLane({ id, sourceId })));
  const sizes = fixture.receiver.received.map(({ body }) => (JSON.parse(body) as []).length);
  expect(sizes.sort((a, b) => b - a)).toEqual([...ids.map(() => 120), ...ids.map(() => 10)]);
});

it('does not let lanes wait for the locked row of another one', async () => {
  const other = await fixture.newEndpoint();
  await fixture.write(0);
  const lanes = new LaneRepository(fixture.sql, SCHEMA);
  const order: string[] = [];
  await fixture.sql.transaction(async (sql) => {
    const lock = { text: `SELECT FROM ${SCHEMA}.endpoints WHERE id = $1 FOR UPDATE` };
    await sql.rows(lock, [fixture.endpointId]);
    // The first claim is made at once; the other two share the next statement.
    const first = claimed(lanes);
    const both = [
      claimed(lanes).then((claim) => order.push(`locked ${claim?.isLeased}`)),
      lanes
        .claim({ id: other, sourceId: fixture.sourceId }, randomUUID())
        .then((claim) => order.push(`free ${claim?.isLeased}`)),
    ];
    await both[1];
    expect(order).toEqual(['free true']);
    void first;
  });
});

it('leases an endpoint to one of several runs that claim it in one statement', async () => {
  await fixture.write(0);
  const lanes = new LaneRepository(fixture.sql, SCHEMA);
  const claims = await Promise.all(Array.from({ length: 5 }, () => claimed(lanes)));
  expect(claims.filter((claim) => claim?.isLeased)).toHaveLength(1);
});

it('records the deliveries of other lanes where those of one cannot be', async () => {
  const other = await fixture.newEndpoint();
  await fixture.write(0);
  const lanes = new LaneRepository(fixture.sql, SCHEMA);
  const { sourceId } = fixture;
  const runId = randomUUID();
  const attempt = {
    eventId: randomUUID(),
    url: 'https://example.com/',
    at: new Date(),
    statusCode: 200,
    durationMs: 1,
    error: null,
    payload: null,
    response: null,
  };
  const record = (id: string, response: string | null) =>
    lanes.record({
      endpoint: { id, sourceId },
      runId,
      replayId: null,
      cursor: '1',
      cursorAt: new Date(),
      attempts: [{ ...attempt, response }],
      releases: true,
    });
  for (const id of [fixture.endpointId, other]) await lanes.claim({ id, sourceId }, runId);
  const [, unstorable, good] = await Promise.allSettled([
    record(randomUUID(), null),
    record(fixture.endpointId, 'a NUL: \0'),
    record(other, null),
  ]);
  expect(unstorable?.status).toBe('rejected');
  expect(good).toEqual({ status: 'fulfilled', value: true });
  expect(await endpointRow()).toMatchObject({ leased: true });
});

describe('the days that events_in_order names', () => {
  /** Keeps them up, and returns the bounds and those that its day asks for. */
  const upkeep = async () => {
    const { query } = fixture.database;
    const [expected] = await query<{ first: string; last: string }>(
      `SELECT to_char(now() AT TIME ZONE 'UTC' - interval '1 day', 'YYYY-MM-DD 00:00Z') AS first,
          to_char(now() AT TIME ZONE 'UTC' + interval '2 days', 'YYYY-MM-DD 00:00Z') AS last
        FROM ${SCHEMA}.bound_ordered_reads()`,
    );
    const [row] = await query<{ text: string }>(
      `SELECT pg_get_functiondef('${SCHEMA}.events_in_order'::regproc) AS text`,
    );
    const text = row?.text ?? '';
    return { text, bounds: [...new Set(text.match(/\d{4}-\d\d-\d\d 00:00Z/g))], expected };
  };

  it.each([-40, -1, 0])('do not hide events before a cursor of day %s', async (offset) => {
    await fixture.database.query(
      `UPDATE ${SCHEMA}.endpoints SET cursor_at = now() + $1 * interval '1 day' WHERE id = $2`,
      [offset, fixture.endpointId],
    );
    for (let n = 0; n < 3; n++) await fixture.write(n);
    expect(await fixture.runDue()).toEqual({ reason: 'idle' });
    expect(fixture.arrived()).toEqual([0, 1, 2]);
  });

  it('move on with each upkeep, and hide nothing before it', async () => {
    const { text, bounds, expected } = await upkeep();
    const [first = '', last = ''] = bounds;
    expect(expected).toEqual({ first, last });
    const late = text.replaceAll(last, '2026-01-04 00:00Z').replaceAll(first, '2026-01-01 00:00Z');
    await fixture.database.query(late);
    await fixture.write(0);
    expect(await fixture.runDue()).toEqual({ reason: 'idle' });
    expect(fixture.arrived()).toEqual([0]);
    const again = await upkeep();
    expect(again.bounds).toEqual(Object.values(again.expected ?? {}));
  });
});
