/** The cost of a search does not grow with the tables, however many texts begin alike. */
import { migrate } from '@gatehouse/nest-kit/database';
import { createMigratedDatabase, rowsRead, type TestDatabase } from '@gatehouse/testing';
import { createDataSource } from '../src/data-source.js';
import { SEARCH_IDENTITIES } from '../src/identities/identity.sql.js';
import { SEARCH_SCHEMAS } from '../src/schemas/schemas.repository.js';

const ROWS = 20_000;
const LIMIT = 21;
const ID = '01900000-0000-7000-8000-000000000007';

let database: TestDatabase;

beforeAll(async () => {
  database = await createMigratedDatabase('identity-forms', (url) =>
    migrate(createDataSource(url)),
  );
  await database.query(
    `INSERT INTO forms.schemas (id, current_version)
     SELECT 'Schema-' || n, 1 FROM generate_series(1, $1::integer) n`,
    [ROWS],
  );
  await database.query(
    `INSERT INTO forms.schema_versions (schema_id, version, digest, document)
     SELECT id, 1, '', json_build_object('title', 'Title ' || id) FROM forms.schemas`,
  );
  // One person in each schema, with the same identifier in all of them.
  await database.query(
    `INSERT INTO forms.identities (id, schema_id, schema_version, traits)
     SELECT ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Schema-' || n, 1, '{}'
     FROM generate_series(1, $1::integer) n`,
    [ROWS],
  );
  await database.query(
    `INSERT INTO forms.identifiers (schema_id, digest, identity_id)
     SELECT schema_id, sha256(text::bytea), id
     FROM forms.identities, LATERAL (VALUES ('shared'), (id::text)) AS held (text)`,
  );
  await database.query('ANALYZE forms.schemas, forms.schema_versions, forms.identities');
  await database.query('ANALYZE forms.identifiers');
});
afterAll(() => database.drop());

const schemas = (prefix: string) => [prefix, `${prefix}\u{10ffff}`, LIMIT];
const digest = async (text: string) => {
  const [row] = await database.query<{ hex: string }>(
    "SELECT '\\x' || encode(sha256($1::text::bytea), 'hex') AS hex",
    [text],
  );
  return row?.hex ?? '';
};

describe.each(['custom', 'generic'] as const)('with a %s plan', (plan) => {
  const read = (
    table: string,
    statement: { text: string },
    values: Parameters<typeof rowsRead>[2],
  ) => rowsRead({ url: database.url, table, plan }, statement, values);

  it.each(['s', 'SCHEMA-', 'schema-19999', 't', 'TITLE SCHEMA-', 'title schema-777', '%', 'zzz'])(
    'schemas that begin with %s are read from the indexes, as many as are shown',
    async (prefix) => {
      expect(await read('schema', SEARCH_SCHEMAS, schemas(prefix))).toBeLessThan(10 * LIMIT);
    },
  );

  it('identities are read by id or identifier, as many as are shown', async () => {
    for (const [id, text, most] of [
      [ID, 'none', 10],
      [null, ID, 10],
      [null, 'none', 10],
      [ID, 'shared', 5 * LIMIT],
    ] as const) {
      const values = [id, [await digest(text)], LIMIT];
      expect(await read('identi', SEARCH_IDENTITIES, values)).toBeLessThan(most);
    }
  });
});
