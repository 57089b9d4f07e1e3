/** Refuses tables whose primary key does not contain the column of their owner (ADR 0046). */
import { createTestDatabase, runMigrations, type TestDatabase } from '@gatehouse/testing';
import { MIGRATING_APPS } from '#local-stack/migrations.mjs';

type App = (typeof MIGRATING_APPS)[number];

const SCHEMAS: Record<App, string> = {
  'key-service': 'keys',
  'dsync-api': 'dsync',
  'identity-forms': 'forms',
  console: 'console',
};

/** By schema: the columns that name an owner. One of them has to be in the primary key of each table. */
const OWNERS: Record<App, readonly string[]> = {
  'key-service': ['key_id', 'source_id'],
  'dsync-api': ['directory_id', 'source_id'],
  'identity-forms': ['schema_id', 'source_id'],
  console: [],
};

const OF_DATABASE = 'says how far this database has been read, or written';

/** The tables without such a column, each with the reason. */
const WITHOUT_OWNER: Record<App, Record<string, string>> = {
  'key-service': {
    credits: 'its id is that of the key that owns the balance',
    directory_links: 'of a tenant and product, which have no table here',
    dispatch: OF_DATABASE,
    expiry_scans: OF_DATABASE,
    imported_hash_groups: 'keys of all actors share a group',
    migration_versions: OF_DATABASE,
    migrations: OF_DATABASE,
    portal_sessions: 'belongs to an actor, who is looked up by the secret',
    signing_keys: 'of the whole service',
    unused_scans: OF_DATABASE,
    usage: 'its subject is the key, or none for sums over all keys',
    usage_batches: OF_DATABASE,
  },
  'dsync-api': {
    directories: 'is the owner: its id',
    dispatch: OF_DATABASE,
    event_cursors: OF_DATABASE,
    key_links: 'is the owner: its tenant and product',
    migration_versions: OF_DATABASE,
    migrations: OF_DATABASE,
  },
  'identity-forms': {
    dispatch: OF_DATABASE,
    flows: 'is looked up by its address, which names no schema',
    identities: 'is an owner: its id',
    migration_versions: OF_DATABASE,
    migrations: OF_DATABASE,
    page_token_keys: 'of the whole service',
    schemas: 'is the owner: its id',
  },
  console: {
    migration_versions: OF_DATABASE,
    migrations: OF_DATABASE,
    sent_forms: 'belongs to a session',
    sessions: 'is looked up by the hash of its cookie, which names no owner',
  },
};

describe.each(MIGRATING_APPS)('the tables of %s', (app) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await runMigrations(app, database.url);
  });
  afterAll(() => database.drop());

  it('have their owner in the primary key, unless the list says why not', async () => {
    const rows = await database.query<{ name: string; key: string[] }>(
      `SELECT c.relname AS name, ARRAY(
          SELECT a.attname::text FROM pg_index i
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
          WHERE i.indrelid = c.oid AND i.indisprimary) AS key
        FROM pg_class c
        WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        ORDER BY 1`,
      [SCHEMAS[app]],
    );
    const without = rows
      .filter(({ key }) => !OWNERS[app].some((owner) => key.includes(owner)))
      .map(({ name }) => name);
    // Nothing is listed that has an owner.
    expect(without).toEqual(Object.keys(WITHOUT_OWNER[app]));
  });
});
