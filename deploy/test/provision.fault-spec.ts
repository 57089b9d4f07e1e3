/** provision.sql on the supported versions of PostgreSQL, run by a role that is no superuser. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, freePort, runMigrations, type TestDatabase } from '@gatehouse/testing';
import { type Layout, layoutAt, makeFolders, workspace } from '#local-stack/layout.mjs';
import { startPostgres, withDatabase } from '#local-stack/postgres.mjs';
import { findProgram } from '#local-stack/programs.mjs';
import { stopRecorded } from '#local-stack/stopping.mjs';

const PROVISION = readFileSync(join(workspace, 'deploy/postgres/provision.sql'), 'utf8');
const OPERATIONS = readFileSync(join(workspace, 'docs/operations.md'), 'utf8');
const SCHEMA_OF = {
  key_service: 'keys',
  dsync: 'dsync',
  identity_forms: 'forms',
  console: 'console',
};
const ROLES = [...Object.keys(SCHEMA_OF), 'delivery_worker'];
/** A server is downloaded on the first run. */
const START_TIMEOUT_MS = 300_000;

let layout: Layout;
let server: string;
let database: TestDatabase;

describe.each([15, 16, 17, 18])('on PostgreSQL %i, run by the owner of the database', (major) => {
  beforeAll(() => startServer(major), START_TIMEOUT_MS);
  afterAll(async () => {
    await stopRecorded(layout);
    rmSync(layout.root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    database = await createTestDatabase(server);
    const name = new URL(database.url).pathname.slice(1);
    await database.query(`ALTER DATABASE ${name} OWNER TO owner`);
  });
  afterEach(async () => {
    await database.drop();
    await withDatabase(server, (client) => client.query(`DROP ROLE IF EXISTS ${ROLES.join(', ')}`));
  });

  it('makes roles that can migrate, and that do not see the tables of one another', async () => {
    const version = `SELECT current_setting('server_version_num')::integer / 10000 AS major`;
    expect(await database.query(version)).toEqual([{ major }]);
    await provision('first');
    await runMigrations('key-service', urlOf('key_service', 'first'));
    await runMigrations('dsync-api', urlOf('dsync', 'first'));
    await runMigrations('identity-forms', urlOf('identity_forms', 'first'));
    await runMigrations('console', urlOf('console', 'first'));
    const foreign = withDatabase(urlOf('dsync', 'first'), (client) =>
      client.query('SELECT FROM keys.api_keys'),
    );
    await expect(foreign).rejects.toThrow('permission denied for schema keys');
    await withDatabase(urlOf('delivery_worker', 'first'), (client) =>
      client.query('SELECT FROM keys.endpoints'),
    );
  });

  it('lets the owner create the backup role, which reads and replaces everything', async () => {
    await provision('first');
    await runMigrations('key-service', urlOf('key_service', 'first'));
    await runMigrations('dsync-api', urlOf('dsync', 'first'));
    const [, sql = ''] = /^### Backup role$.*?^```sql\n(.*?)^```/ms.exec(OPERATIONS) ?? [];
    await asOwner(sql.replace('…', 'backup'));
    await withDatabase(urlOf('gatehouse_backup', 'backup'), async (client) => {
      // As pg_dump and pg_restore --clean do.
      for (const statement of [
        'BEGIN',
        'LOCK TABLE keys.api_keys, dsync.users IN ACCESS SHARE MODE',
        'SELECT last_value FROM keys.event_sequence',
        'DROP SCHEMA keys CASCADE',
        'CREATE SCHEMA keys',
        'ALTER SCHEMA keys OWNER TO key_service',
        'CREATE TABLE keys.uses ()',
        'ALTER TABLE keys.uses OWNER TO key_service',
        'COMMIT',
      ]) {
        await client.query(statement);
      }
    });
    await useAll('first');
    await asOwner('DROP ROLE gatehouse_backup');
  });

  it('changes passwords when it runs again, and no data', async () => {
    await provision('first');
    await useAll('first');
    await provision('second');
    const withOld = withDatabase(urlOf('dsync', 'first'), () => Promise.resolve());
    await expect(withOld).rejects.toThrow('password authentication failed');
    await useAll('second');
    expect(await database.query('SELECT count(*)::integer FROM keys.uses')).toEqual([{ count: 2 }]);
  });

  it('completes what an earlier run left', async () => {
    await asOwner('CREATE ROLE key_service LOGIN NOINHERIT', 'CREATE ROLE dsync LOGIN');
    await provision('first');
    await asOwner('SET ROLE dsync', 'DROP SCHEMA dsync', 'RESET ROLE');
    await provision('first');
    await useAll('first');
  });

  it('adds nothing if it fails', async () => {
    await withDatabase(database.url, (client) => client.query('CREATE SCHEMA forms'));
    await expect(provision('first')).rejects.toThrow('schema forms belongs to another role');
    const roles = await database.query('SELECT FROM pg_roles WHERE rolname = ANY ($1)', [ROLES]);
    expect(roles).toEqual([]);
    await withDatabase(database.url, (client) => client.query('DROP SCHEMA forms'));
    await provision('first');
    await useAll('first');
  });

  it('hands over what the small layout has created, with the rights that migrations give', async () => {
    const rights = () =>
      database.query(
        `SELECT c.relnamespace::regnamespace::text AS schema, relname, relowner::regrole::text,
          (SELECT array_agg(acl::text ORDER BY acl::text) FROM unnest(relacl) acl
            WHERE acl::text LIKE 'delivery_worker=%') AS rights
        FROM pg_class c WHERE relkind IN ('r', 'p', 'S')
          AND relnamespace::regnamespace::text = ANY ($1) ORDER BY 1, 2`,
        [Object.values(SCHEMA_OF)],
      );
    const dropAll = () =>
      database.query(
        `DROP SCHEMA ${Object.values(SCHEMA_OF).join(' CASCADE; DROP SCHEMA ')} CASCADE`,
      );
    const migrateAs = async (urlOfRole: (role: string) => string) => {
      await runMigrations('key-service', urlOfRole('key_service'));
      await runMigrations('dsync-api', urlOfRole('dsync'));
      await runMigrations('identity-forms', urlOfRole('identity_forms'));
      await runMigrations('console', urlOfRole('console'));
    };
    await provision('first');
    await migrateAs((role) => urlOf(role, 'first'));
    const expected = await rights();
    await dropAll();
    await migrateAs(() => urlOf('owner', 'owner'));
    await provision('first');
    expect(await rights()).toEqual(expected);
    await useAll('first');
  });

  const itWithPsql = findProgram(['psql']) === undefined ? it.skip : it;
  itWithPsql('gets its passwords from files by provision.sh, which fails if it fails', async () => {
    const passwordOf = (role: string) => `it's "${role}" \\ $1`;
    expect(runScript('wrong', passwordOf)).not.toBe(0);
    expect(runScript('owner', passwordOf)).toBe(0);
    expect(runScript('owner', passwordOf)).toBe(0);
    for (const role of ROLES) {
      const url = urlOf(role, encodeURIComponent(passwordOf(role)));
      await withDatabase(url, () => Promise.resolve());
    }
  });
});

async function startServer(major: number): Promise<void> {
  const root = mkdtempSync(join(process.env.TEST_STACKS_FOLDER ?? tmpdir(), 'provision-'));
  // The user that root lends to PostgreSQL must enter.
  chmodSync(root, 0o755);
  layout = layoutAt(root);
  makeFolders(layout);
  const { signal } = new AbortController();
  const plan = { layout, port: await freePort(), password: 'test', signal, major };
  ({ url: server } = await startPostgres({ ...plan, disposable: true }));
  await withDatabase(server, (client) =>
    client.query(`CREATE ROLE owner LOGIN CREATEROLE PASSWORD 'owner'`),
  );
}

function urlOf(role: string, password: string): string {
  const url = new URL(database.url);
  url.username = role;
  url.password = password;
  return url.href;
}

function asOwner(...statements: string[]): Promise<void> {
  return withDatabase(urlOf('owner', 'owner'), async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

function provision(password: string): Promise<void> {
  return asOwner(
    ...ROLES.map((role) => `SET gatehouse.${role}_password = '${password}'`),
    PROVISION,
  );
}

/** Privileges that migrations need: each role may create its schema, and tables in it. */
async function useAll(password: string): Promise<void> {
  for (const [role, schema] of Object.entries(SCHEMA_OF)) {
    await withDatabase(urlOf(role, password), (client) =>
      client.query(`CREATE SCHEMA IF NOT EXISTS ${schema};
        CREATE TABLE IF NOT EXISTS ${schema}.uses ();
        INSERT INTO ${schema}.uses DEFAULT VALUES`),
    );
  }
}

/** @returns its exit code */
function runScript(ownerPassword: string, passwordOf: (role: string) => string): number | null {
  const file = (name: string, content: string) => {
    const path = join(layout.root, name);
    writeFileSync(path, content);
    return path;
  };
  const files = ROLES.map((role) => [
    `${role.toUpperCase()}_DATABASE_PASSWORD_FILE`,
    file(role, `${passwordOf(role)}\n`),
  ]);
  const { hostname, port, pathname } = new URL(database.url);
  const env = {
    PATH: process.env.PATH,
    PGHOST: hostname,
    PGPORT: port,
    PGDATABASE: pathname.slice(1),
    PGUSER: 'owner',
    PGPASSWORD_FILE: file('owner', ownerPassword),
    ...(Object.fromEntries(files) as Record<string, string>),
  };
  return spawnSync('sh', ['deploy/postgres/provision.sh'], { cwd: workspace, env }).status;
}
