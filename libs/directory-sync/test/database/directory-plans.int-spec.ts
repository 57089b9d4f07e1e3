import { useFixture } from '../fixture.js';
import { BACKLOG } from '../../src/delivery/lane.sql.js';
import { Directory } from '../../src/directories/directory.entity.js';
import { newestOf } from '../../src/directories/directory.repository.js';

// The cost of listing directories and of reading the backlog must not grow with the number of
// directories: query plans for 20,000 directories with two pending events each.

const fixture = useFixture();

beforeAll(async () => {
  await fixture.database.query(
    `INSERT INTO dsync.directories (id, name, tenant, product, type, created_at)
      SELECT dsync.uuid_v7(), 'd', 't-' || n % 10, 'p-' || n % 100,
        CASE WHEN n % 100 = 0 THEN 'azure-scim-v2' ELSE 'okta-scim-v2' END,
        '2026-01-01'::timestamptz + n * interval '1 second'
      FROM generate_series(1, 20000) n`,
  );
  await fixture.database.query(
    'INSERT INTO dsync.lanes SELECT id FROM dsync.directories ON CONFLICT DO NOTHING',
  );
  await fixture.database.query(
    `INSERT INTO dsync.events (directory_id, type, data, state)
      SELECT id, 'user.created', '{}', 'pending' FROM dsync.directories, generate_series(1, 2)`,
  );
  await fixture.database.query('ANALYZE dsync.directories, dsync.lanes, dsync.events');
});

async function planOf(text: string, values: unknown[] = []): Promise<string> {
  const rows = await fixture.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

it.each([
  [{}, 'directories_created_at'],
  [{ product: 'p-7' }, 'directories_product'],
  [{ type: 'azure-scim-v2' }, 'directories_type'],
] as const)('the newest directories of %j are the end of an index', async (filter, index) => {
  const [text, values] = fixture.test.dataSource
    .getRepository(Directory)
    .createQueryBuilder('d')
    .setFindOptions(newestOf(filter, 0, 50))
    .getQueryAndParameters();
  const plan = await planOf(text, values);
  expect(plan).toMatch(/Index.* Scan Backward using directories_/);
  expect(plan).toContain(index);
  expect(plan).not.toContain('Sort');
});

it('the backlog query steps from lane to lane along the index of pending events', async () => {
  const plan = await planOf(BACKLOG.text);
  expect(plan).toMatch(/events_pending[^]*events_pending[^]*Index Cond: \(directory_id > /);
  expect(plan).not.toMatch(/Seq Scan on (lanes|events)/);
});
