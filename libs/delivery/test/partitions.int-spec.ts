import { Partitions } from '../src/index.js';
import { SCHEMA, useDelivery } from './fixture.js';

const fixture = useDelivery();
const DAY_SECONDS = 86_400;
const RETENTION = { eventsTtlSeconds: 30 * DAY_SECONDS, webhookLogsTtlSeconds: 7 * DAY_SECONDS };

const partitions = () =>
  new Partitions(fixture.sql, SCHEMA, { warn: () => undefined }).maintain(RETENTION);
const nameOf = (parent: string, daysAgo: number) => {
  const day = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return `${parent}_${day.replaceAll('-', '')}`;
};

/** Logs an event as if it had been logged some days ago. */
async function writeAt(daysAgo: number): Promise<void> {
  await fixture.database.query(
    `SELECT ${SCHEMA}.create_partitions(current_date - $1::integer - 1, current_date)`,
    [daysAgo],
  );
  await fixture.database.query(
    `INSERT INTO ${SCHEMA}.events (source_id, type, data, created_at)
      VALUES ($1, 'parcel.sent', '{"n": 0}', now() - make_interval(days => $2))`,
    [fixture.sourceId, daysAgo],
  );
}
const isThere = async (name: string) => {
  const [row] = await fixture.database.query<{ found: string | null }>(
    'SELECT to_regclass($1)::text AS found',
    [`${SCHEMA}.${name}`],
  );
  return row?.found !== null;
};

it('drops the days that are older than the time to live, and keeps the others', async () => {
  await writeAt(40);
  await fixture.runDue();
  await partitions();
  expect(await isThere(nameOf('events', 40))).toBe(false);
  expect(await isThere(nameOf('events', 29))).toBe(true);
  expect(await isThere(nameOf('delivery_attempts', 29))).toBe(false);
  expect(await isThere(nameOf('delivery_attempts', 6))).toBe(true);
});

it('keeps a day for as long as an endpoint or a replay needs its events', async () => {
  const endpoint = fixture.endpointId;
  const cursorBack = `UPDATE ${SCHEMA}.endpoints
    SET cursor = 0, cursor_at = now() - interval '50 days' WHERE id = $1`;
  await fixture.database.query(cursorBack, [endpoint]);
  await writeAt(45);
  await fixture.delivery().sweep();
  await partitions();
  expect(await isThere(nameOf('events', 45))).toBe(true);

  await fixture.runDue();
  expect(fixture.arrived()).toContain(0);
  const until = await fixture.log.horizon(fixture.sourceId);
  const range = { after: '0', until, types: null };
  await fixture.endpoints.replay(fixture.sql, [fixture.sourceId], range);
  await partitions();
  expect(await isThere(nameOf('events', 45))).toBe(true);
  await fixture.runDue();
  await partitions();
  expect(await isThere(nameOf('events', 45))).toBe(false);
});

it('keeps nothing for the replay of an endpoint that is stopped', async () => {
  await writeAt(55);
  await fixture.runDue();
  const until = await fixture.log.horizon(fixture.sourceId);
  const range = { after: '0', until, types: null };
  await fixture.endpoints.replay(fixture.sql, [fixture.sourceId], range);
  await fixture.database.query(`UPDATE ${SCHEMA}.endpoints SET state = 'stopped'`);
  await partitions();
  expect(await isThere(nameOf('events', 55))).toBe(false);
});

it('drops what a process had detached before it ended', async () => {
  await writeAt(60);
  const name = nameOf('events', 60);
  await fixture.database.query(`ALTER TABLE ${SCHEMA}.events DETACH PARTITION ${SCHEMA}.${name}`);
  await partitions();
  expect(await isThere(name)).toBe(false);
});

it('does not wait for a table in use', async () => {
  await writeAt(50);
  await fixture.database.query('BEGIN');
  await fixture.database.query(`SELECT FROM ${SCHEMA}.events LIMIT 1`);
  const startedAt = performance.now();
  await partitions();
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(await isThere(nameOf('events', 50))).toBe(true);
  await fixture.database.query('COMMIT');
  await partitions();
  expect(await isThere(nameOf('events', 50))).toBe(false);
});

it('creates partitions ahead, so that a writer never depends on it', async () => {
  expect(await isThere(nameOf('events', -30))).toBe(true);
  expect(await partitions()).toEqual([]);
});
