import { type Statement } from '@gatehouse/kit/sql';
import { rowsRead } from '@gatehouse/testing';
import * as statements from '../../src/hits/hit.sql.js';
import { useFixture } from '../fixture.js';

// A search must not cost more with more records, nor with more that match: rows that are read of 20,000
// users, groups, directories and endpoints, whose texts all begin alike.

const fixture = useFixture();
const ROWS = 20_000;
const LIMIT = 21;
/** That many are read by each text. */
const READ_MAX = 50;

beforeAll(async () => {
  const { query } = fixture.database;
  await query(
    `INSERT INTO dsync.directories (id, name, tenant, product, type)
      SELECT dsync.uuid_v7(), 'Same ' || n, 'Same-' || n, 'p', 'okta-scim-v2'
      FROM generate_series(1, $1::integer) n`,
    [ROWS],
  );
  const owned = `(SELECT id AS owner, row_number() OVER () AS n FROM dsync.directories) d`;
  await query(
    `INSERT INTO dsync.users (directory_id, id, user_name, user_name_lower, external_id, email,
        display_name, display_name_lower, emails_lower, active, raw)
      SELECT owner, dsync.uuid_v7(), 'same-' || n, 'same-' || n, 'Same-' || n, 'Same@' || n,
        'Same', 'same', '{}', true, '{}' FROM ${owned}`,
  );
  await query(
    `INSERT INTO dsync.groups (directory_id, id, display_name, display_name_lower, external_id, raw)
      SELECT owner, dsync.uuid_v7(), 'Same', 'same', 'Same-' || n, '{}' FROM ${owned}`,
  );
  await query(
    `INSERT INTO dsync.endpoints (source_id, url, cursor)
      SELECT owner, 'https://same.example.com/' || n, 0 FROM ${owned}`,
  );
  await query('ANALYZE dsync.directories, dsync.users, dsync.groups, dsync.endpoints');
});

interface Case {
  statement: Statement;
  table: string;
  texts: number;
}

const CASES: Record<string, Case> = {
  directories: { statement: statements.FIRST_DIRECTORIES, table: 'directories', texts: 2 },
  users: { statement: statements.FIRST_USERS, table: 'users', texts: 4 },
  groups: { statement: statements.FIRST_GROUPS, table: 'groups', texts: 2 },
  endpoints: { statement: statements.FIRST_ENDPOINTS, table: 'endpoints', texts: 1 },
  'users by external id': {
    statement: statements.FIRST_USERS_BY_EXTERNAL_ID,
    table: 'users',
    texts: 1,
  },
  'groups by external id': {
    statement: statements.FIRST_GROUPS_BY_EXTERNAL_ID,
    table: 'groups',
    texts: 1,
  },
};

describe.each(Object.entries(CASES))('a search for %s', (_, { statement, table, texts }) => {
  const place = () => ({ url: fixture.database.url, table });

  it.each([
    ['s', LIMIT],
    ['same', LIMIT],
    ['%', 0],
    ['_ame', 0],
    ['\\', 0],
    ['😀', 0],
    ['z', 0],
  ])('that begin with %j reads the beginnings of its indexes', async (text, count) => {
    const range = [text, `${text}\u{10ffff}`];
    const values = [...range, LIMIT, ...(statement === statements.FIRST_USERS ? range : [])];
    expect(await fixture.database.query(statement.text, values)).toHaveLength(count);
    for (const plan of ['custom', 'generic'] as const) {
      const read = await rowsRead({ ...place(), plan }, statement, values);
      // An index and its table count the same row, and each directory is looked up in them, too.
      expect(read).toBeLessThanOrEqual(4 * READ_MAX * texts);
    }
    const rows = await fixture.database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN ${statement.text}`,
      values,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan.match(/Index Scan using \w+_searched_/g)).toHaveLength(texts);
    expect(plan).not.toContain(`Seq Scan on ${table}`);
  });
});

it.each(['directories', 'users', 'groups', 'endpoints'])(
  'a search for an id looks it up among %s',
  async (table) => {
    const [row] = await fixture.database.query<{ id: string }>(
      `SELECT id FROM dsync.${table} OFFSET 7000 LIMIT 1`,
    );
    for (const plan of ['custom', 'generic'] as const) {
      const place = { url: fixture.database.url, table, plan };
      const read = await rowsRead(place, statements.FIND_HITS_BY_ID, [row?.id ?? '']);
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThanOrEqual(20);
    }
  },
);
