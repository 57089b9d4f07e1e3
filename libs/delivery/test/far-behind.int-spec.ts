import { randomUUID } from 'node:crypto';
import { rowsRead } from '@gatehouse/testing';
import { laneStatements } from '../src/lane/lane.sql.js';
import { eventLogStatements } from '../src/log/event-log.sql.js';
import { SCHEMA, useDelivery } from './fixture.js';

// A source with 20,000 undelivered events beside 2,000 sources with one: on average, a source has few.

const fixture = useDelivery();
const lane = laneStatements(SCHEMA);
const log = eventLogStatements(SCHEMA);
const BACKLOG = 20_000;
const BATCH = 100;
const LAST = String(Number.MAX_SAFE_INTEGER);

let behind: string;

beforeAll(async () => {
  const { query } = fixture.database;
  await query(
    `INSERT INTO ${SCHEMA}.events (source_id, type, data)
      SELECT gen_random_uuid(), 'parcel.sent', '{"n": 0}' FROM generate_series(1, 2000)`,
  );
  await query(`ANALYZE ${SCHEMA}.events`);
  const [source] = await query<{ id: string }>(
    `INSERT INTO ${SCHEMA}.events (source_id, type, data)
      SELECT id, 'parcel.sent', '{"n": 0}'
      FROM (SELECT gen_random_uuid() AS id) s, generate_series(1, $1) RETURNING source_id AS id`,
    [BACKLOG],
  );
  behind = source?.id ?? '';
});

const read = (statement: { text: string }, values: Parameters<typeof rowsRead>[2]) =>
  rowsRead({ url: fixture.database.url, table: 'events', plan: 'generic' }, statement, values);

describe.each(['before', 'after'])('%s the statistics are up to date', (moment) => {
  beforeAll(async () => {
    if (moment === 'after') await fixture.database.query(`ANALYZE ${SCHEMA}.events`);
  });

  it('a batch of the lane reads its own events', async () => {
    const endpoint = fixture.key();
    await fixture.database.query(`DELETE FROM ${SCHEMA}.skipped_ranges`);
    await fixture.database.query(
      `UPDATE ${SCHEMA}.endpoints SET source_id = $1, cursor = 0, cursor_at = 'epoch', leased_by = NULL`,
      [behind],
    );
    const runs = [[endpoint.id], [behind], [randomUUID()]];
    const rows = await read(lane.claim, [...runs, 10, BATCH, 1_000_000, false]);
    expect(rows).toBeGreaterThanOrEqual(BATCH);
    expect(rows).toBeLessThanOrEqual(3 * BATCH);
  });

  it('a page of the log reads its own events', async () => {
    const pages = [
      await read(log.list, [behind, '0', LAST, BATCH]),
      await read(log.page, [behind, '0', LAST, BATCH, null, null]),
    ];
    for (const rows of pages) {
      expect(rows).toBeGreaterThanOrEqual(BATCH);
      expect(rows).toBeLessThanOrEqual(3 * BATCH);
    }
  });

  it('the metrics read one event of the lane', async () => {
    const { query } = fixture.database;
    await query(`DELETE FROM ${SCHEMA}.skipped_ranges`);
    await query(
      `UPDATE ${SCHEMA}.endpoints SET source_id = $1, cursor = 0, cursor_at = 'epoch', wanted = $2`,
      [behind, LAST],
    );
    const rows = await read(lane.backlog, []);
    expect(rows).toBeGreaterThanOrEqual(1);
    expect(rows).toBeLessThanOrEqual(3);
  });
});
