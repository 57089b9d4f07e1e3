import { randomUUID } from 'node:crypto';
import { rowsRead } from '@gatehouse/testing';
import { DeliveryStatus } from '../src/index.js';
import { statusStatements } from '../src/status/status.sql.js';
import { SCHEMA, useDelivery } from './fixture.js';

// The attempts of a quiet endpoint beside 50,000 of another one of the same source.

const fixture = useDelivery();
const statements = statusStatements(SCHEMA);
const LIMIT = 50;

let status: DeliveryStatus;
const loud = randomUUID();
const quiet = randomUUID();
const source = randomUUID();

const log = (endpoint: string, count: number, payload: string | null = null) =>
  fixture.database.query(
    `INSERT INTO ${SCHEMA}.delivery_attempts
        (endpoint_id, source_id, event_id, at, duration_ms, url, payload)
      SELECT $1, $2, gen_random_uuid(), now(), 1, 'http://x', $4::json
      FROM generate_series(1, $3::integer)`,
    [endpoint, source, count, payload],
  );

beforeAll(async () => {
  status = new DeliveryStatus(fixture.sql, SCHEMA);
  await log(quiet, 60, '{}');
  await log(loud, 50_000);
  await fixture.database.query(`ANALYZE ${SCHEMA}.delivery_attempts`);
});

const read = (statement: { text: string }, values: Parameters<typeof rowsRead>[2]) =>
  rowsRead(
    { url: fixture.database.url, table: 'delivery_attempts', plan: 'custom' },
    statement,
    values,
  );

it('a page of the attempts of an endpoint reads those of no other', async () => {
  for (const id of [quiet, loud, randomUUID()]) {
    const rows = await read(statements.attemptsTo, [source, id, null, LIMIT]);
    expect(rows).toBeLessThanOrEqual(2 * LIMIT);
  }
});

it('a page of logged attempts reads none without their payload', async () => {
  for (const id of [quiet, loud]) {
    const rows = await read(statements.loggedAttempts, [source, id, 0, LIMIT]);
    expect(rows).toBeLessThanOrEqual(2 * LIMIT);
  }
});

it('pages continue after the last attempt that was read', async () => {
  const endpoint = { id: quiet, sourceId: source };
  const all = await status.attemptsTo(endpoint, undefined, 100);
  expect(all).toHaveLength(60);
  const first = await status.attemptsTo(endpoint, undefined, 25);
  const rest = await status.attemptsTo(endpoint, first.at(-1)?.id, 100);
  expect([...first, ...rest]).toEqual(all);
  const logged = await status.loggedAttempts(endpoint, 10, 20);
  expect(logged.map(({ id }) => id)).toEqual(all.slice(10, 30).map(({ id }) => id));
  expect(await status.loggedAttempts({ ...endpoint, id: loud }, 0, 20)).toEqual([]);
});
