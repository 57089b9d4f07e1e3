import { createDataSource, migrate } from '@gatehouse/nest-kit/database';
import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import { databaseDefinition } from '../../src/database-definition.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const run = (direction: 'up' | 'down') =>
  migrate(createDataSource({ ...databaseDefinition, databaseUrl: database.url }), direction);

/** Tables, functions and sequences. */
const objects = async () => {
  const rows = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'dsync'::regnamespace AND relkind IN ('r', 'p', 'S')
      UNION SELECT proname FROM pg_proc WHERE pronamespace = 'dsync'::regnamespace ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

it('the tables of directory sync are created, dropped and created again by the migrations', async () => {
  await run('up');
  const all = await objects();
  expect(all).toEqual(expect.arrayContaining(databaseDefinition.tables));
  await run('down');
  expect(await objects()).toEqual(['migration_versions', 'migrations', 'migrations_id_seq']);
  await run('up');
  expect(await objects()).toEqual(all);
  expect(await run('up')).toEqual([]);
});
