import { rowsRead } from '@gatehouse/testing';
import { LIST_ENDPOINTS } from '../../src/directories/directory.sql.js';
import { ALL_DIRECTORIES, BY_STATUS } from '../../src/request-log/request-log.sql.js';
import { FAULTS_OF } from '../../src/directories/directory-health.sql.js';
import { useFixture } from '../fixture.js';

// The health of a page of directories must not cost more with more directories, runs or parked events:
// rows that are read for 20 of 2,000 directories, half of them with runs, a few with parked events.

const fixture = useFixture();
const PAGE = 20;

let ids: string[];

beforeAll(async () => {
  const { query } = fixture.database;
  await query(
    `INSERT INTO dsync.directories (id, name, tenant, product, type, created_at)
      SELECT dsync.uuid_v7(), 'd', 't-' || n % 10, 'p',
        CASE WHEN n % 2 = 0 THEN 'workspace' ELSE 'okta-scim-v2' END,
        '2026-01-01'::timestamptz + n * interval '1 second'
      FROM generate_series(1, 2000) n`,
  );
  await query(
    `INSERT INTO dsync.endpoints (source_id, url, cursor)
      SELECT d.id, 'https://example.com', 0 FROM dsync.directories d, generate_series(1, 5)
      WHERE d.product = 'p'`,
  );
  await query(
    `INSERT INTO dsync.workspace_runs (id, directory_id, trigger, state, phase, position, counts)
      SELECT dsync.uuid_v7(), d.id, 'schedule', 'failed', 'finish', '', '{}'
      FROM dsync.directories d, generate_series(1, 20) WHERE d.type = 'workspace'`,
  );
  const rows = await query<{ id: string }>(
    `SELECT id FROM dsync.directories WHERE product = 'p' ORDER BY created_at DESC LIMIT ${PAGE}`,
  );
  ids = rows.map(({ id }) => id);
  await query(
    `INSERT INTO dsync.parked_events (source_id, endpoint_id, sequence, event_id, reason, attempts)
      SELECT p.source_id, p.id, n, dsync.uuid_v7(), 'refused', 3
      FROM (SELECT * FROM dsync.endpoints WHERE source_id = ANY ($1) LIMIT 10) p,
        generate_series(1, 1000) n`,
    [ids],
  );
  await query(
    `INSERT INTO dsync.scim_request_hours (directory_id, hour, requests, errors, unauthorized, stored,
        captured, succeeded, refused, failed)
      SELECT id, date_trunc('hour', now()) - n * interval '1 hour', 3, 2, 0, 0, 0, 1, 1, 1
      FROM (SELECT id FROM dsync.directories UNION ALL SELECT $1) d, generate_series(0, 47) n`,
    [ALL_DIRECTORIES],
  );
  await query(
    'ANALYZE dsync.directories, dsync.scim_request_hours, dsync.endpoints, dsync.workspace_runs, dsync.parked_events',
  );
});

it.each([
  ['workspace_runs', 2 * PAGE],
  ['parked_events', 12 * PAGE],
  ['endpoints', 24 * PAGE],
])('the health of a page reads few rows of %s', async (table, most) => {
  expect(FAULTS_OF.name).toBeUndefined();
  const rows = await rowsRead({ url: fixture.database.url, table, plan: 'custom' }, FAULTS_OF, [
    ids,
  ]);
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThanOrEqual(most);
});

it('a page of the endpoints of all directories reads few others', async () => {
  expect(LIST_ENDPOINTS.name).toBeUndefined();
  const measured = { url: fixture.database.url, table: 'endpoints', plan: 'custom' } as const;
  const values = [null, null, null, null, 0, PAGE];
  expect(await rowsRead(measured, LIST_ENDPOINTS, values)).toBeLessThanOrEqual(12 * PAGE);
});

it.each(['custom', 'generic'] as const)(
  'counts of requests by status read no row of other directories, with a %s plan',
  async (plan) => {
    const measured = { url: fixture.database.url, table: 'scim_request_hours', plan };
    const now = Date.now();
    const from = new Date(now - 24 * 3_600_000);
    for (const id of [ALL_DIRECTORIES, ids[0] ?? '']) {
      const rows = await rowsRead(measured, BY_STATUS, [id, from, new Date(now)]);
      expect(rows).toBe(24);
    }
  },
);
