import { useFixture } from '../fixture.js';
import { Directory } from '../../src/directories/directory.entity.js';
import { newestOf } from '../../src/directories/directory.repository.js';

// The cost of listing directories must not grow with their number: query plans for 20,000 of them.

const fixture = useFixture();

beforeAll(async () => {
  await fixture.database.query(
    `INSERT INTO dsync.directories (id, name, tenant, product, type, created_at, quiet_at)
      SELECT dsync.uuid_v7(), 'd', 't-' || n % 10, 'p-' || n % 100,
        CASE WHEN n % 100 = 0 THEN 'azure-scim-v2' ELSE 'okta-scim-v2' END,
        '2026-01-01'::timestamptz + n * interval '1 second', CASE WHEN n % 50 = 0 THEN now() END
      FROM generate_series(1, 20000) n`,
  );
  await fixture.database.query('ANALYZE dsync.directories');
});

async function planOf(text: string, values: unknown[] = []): Promise<string> {
  const rows = await fixture.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

it.each([
  [{}, 'directories_created_at'],
  [{ product: 'p-7' }, 'directories_product'],
  [{ type: 'azure-scim-v2' }, 'directories_type'],
  [{ quiet: true }, 'directories_quiet'],
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
