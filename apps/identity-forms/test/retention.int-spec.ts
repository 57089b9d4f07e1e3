import { randomBytes, randomUUID } from 'node:crypto';
import { migrate, sqlOf } from '@gatehouse/nest-kit/database';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../src/data-source.js';
import { type Flow } from '../src/flows/flow.types.js';
import { FlowsRepository } from '../src/flows/flows.repository.js';
import { RetentionTask } from '../src/retention/retention.task.js';

describe('the tables of identity forms', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  const tables = async () => {
    const rows = await database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'forms' AND table_name !~ '_\\d{8}$' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };

  it('are created, dropped and created again by the migrations', async () => {
    const all = ['audit_events', 'delivery_attempts', 'dispatch', 'endpoints', 'events', 'flows'];
    all.push('identifiers', 'identities', 'key_links', 'migration_versions', 'migrations');
    all.push('page_token_keys', 'parked_events');
    all.push('replays', 'schema_versions', 'schemas', 'skipped_ranges');
    await migrate(createDataSource(database.url), 'up');
    expect(await tables()).toEqual(all);
    await migrate(createDataSource(database.url), 'down');
    expect(await tables()).toEqual(['migration_versions', 'migrations']);
    await migrate(createDataSource(database.url), 'up');
    await migrate(createDataSource(database.url), 'up');
    expect(await tables()).toEqual(all);
  });

  describe('flows', () => {
    let dataSource: DataSource;
    let flows: FlowsRepository;
    let task: RetentionTask;

    beforeAll(async () => {
      dataSource = await createDataSource(database.url).initialize();
      const logger = createLogger('test', 'silent');
      flows = new FlowsRepository(sqlOf(dataSource));
      task = new RetentionTask(flows, logger);
      await database.query("INSERT INTO forms.schemas (id, current_version) VALUES ('s', 1)");
      await database.query(
        "INSERT INTO forms.schema_versions (schema_id, version, digest, document) VALUES ('s', 1, '', '{}')",
      );
    });

    afterAll(() => dataSource.destroy());

    const count = async (table: string) => {
      const [row] = await database.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM forms.${table}`,
      );
      return row?.n;
    };

    it('a public sign-up is used once, whichever of its unique columns is met first', async () => {
      const flow: Flow = {
        id: randomUUID(),
        idDigest: randomBytes(32),
        kind: 'sign-up',
        schemaId: 's',
        schemaVersion: 1,
        identityId: null,
        returnTo: null,
        csrfKey: randomBytes(32),
        createdAt: new Date(),
        expiresAt: new Date(Date.now() + 3_600_000),
        usedAt: null,
        resultIdentityId: null,
        isBound: false,
        isSealed: true,
      };
      const use = (more: Partial<Flow>) => flows.use(sqlOf(dataSource), { ...flow, ...more }, null);
      expect(await use({})).toBe(true);
      expect(await use({ id: randomUUID() })).toBe(false);
      expect(await use({ idDigest: randomBytes(32) })).toBe(false);
      await database.query('DELETE FROM forms.flows');
    });

    it('deletes flows a week after they expired, and no others', async () => {
      await database.query(
        `INSERT INTO forms.flows (id_digest, kind, schema_id, schema_version, csrf_key, expires_at)
         SELECT sha256(n::text::bytea), 'sign-up', 's', 1, '',
                now() - CASE WHEN n <= 1500 THEN interval '8 days' ELSE interval '6 days' END
           FROM generate_series(1, 1510) AS n`,
      );
      await task.run();
      expect(await count('flows')).toBe(10);
    });

    it('two replicas at once do not wait for each other', async () => {
      await database.query("UPDATE forms.flows SET expires_at = now() - interval '9 days'");
      await Promise.all([task.run(), task.run()]);
      expect(await count('flows')).toBe(0);
    });
  });
});
