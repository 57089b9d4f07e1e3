import { createLogger, migrate, Sql, uuidv7 } from '@gatehouse/service-kit';
import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import { type DataSource } from 'typeorm';
import { IdentityFormsConfig } from '../src/config.js';
import { createDataSource } from '../src/data-source.js';
import { FlowsRepository } from '../src/flows/flows.repository.js';
import { IdentitiesRepository } from '../src/identities/identities.repository.js';
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
        WHERE table_schema = 'forms' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };

  it('are created, dropped and created again by the migrations', async () => {
    const all = ['audit_events', 'events', 'flows', 'identifiers', 'identities', 'migrations'];
    all.push('page_token_keys', 'schema_versions', 'schemas');
    await migrate(createDataSource(database.url), 'up');
    expect(await tables()).toEqual(all);
    await migrate(createDataSource(database.url), 'down');
    expect(await tables()).toEqual(['migrations']);
    await migrate(createDataSource(database.url), 'up');
    await migrate(createDataSource(database.url), 'up');
    expect(await tables()).toEqual(all);
  });

  describe('retention', () => {
    let dataSource: DataSource;
    let task: RetentionTask;

    beforeAll(async () => {
      dataSource = await createDataSource(database.url).initialize();
      const config = Object.assign(new IdentityFormsConfig(), { eventRetentionSeconds: 3600 });
      const logger = createLogger('test', 'silent');
      const sql = new Sql(dataSource);
      const [flows, identities] = [new FlowsRepository(sql), new IdentitiesRepository(sql)];
      task = new RetentionTask(flows, identities, config, logger);
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

    it('deletes events older than EVENT_RETENTION', async () => {
      for (const age of ['2 hours', '30 minutes']) {
        await database.query(
          `INSERT INTO forms.events (id, type, identity_id, payload, created_at)
           VALUES ($1, 'identity.created', $1, '{}', now() - $2::interval)`,
          [uuidv7(), age],
        );
      }
      await task.run();
      expect(await count('events')).toBe(1);
    });

    it('two replicas at once do not wait for each other', async () => {
      await database.query("UPDATE forms.flows SET expires_at = now() - interval '9 days'");
      await Promise.all([task.run(), task.run()]);
      expect(await count('flows')).toBe(0);
    });
  });
});
