import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import { DataSource } from 'typeorm';
import { BOUNDED_POOL } from '../src/database/bounded-client.js';
import { dataSourceOptions } from '../src/database/data-source.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  const options = dataSourceOptions({
    databaseUrl: database.url,
    schema: 'public',
    entities: [],
    migrations: [],
    poolMax: 1,
  });
  const extra = { ...(options.extra as object), ...BOUNDED_POOL, answerTimeoutMs: 200 };
  dataSource = await new DataSource({ ...options, extra }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const TOO_LONG = 'SELECT pg_sleep(10)';

describe('a connection on which no answer comes', () => {
  it('is closed, and the only place in the pool is free for the next statement', async () => {
    for (const statement of ['SELECT 1', TOO_LONG, 'SELECT 1', TOO_LONG, 'SELECT 1']) {
      const query = dataSource.query(statement);
      if (statement === TOO_LONG) await expect(query).rejects.toThrow('did not answer in time');
      else await expect(query).resolves.toHaveLength(1);
    }
  });

  it('is closed in the middle of a transaction as well', async () => {
    const failing = dataSource.transaction((manager) => manager.query(TOO_LONG));
    await expect(failing).rejects.toThrow('did not answer in time');
    await expect(dataSource.query('SELECT 1')).resolves.toHaveLength(1);
  });
});
