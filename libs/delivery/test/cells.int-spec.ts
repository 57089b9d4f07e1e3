/** The cell of a database is in the ids that it makes, and stays. */
import { randomBytes } from 'node:crypto';
import { cellOf } from '@gatehouse/kit/ids';
import { createDataSource, migrate } from '@gatehouse/nest-kit/database';
import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createDeliveryTables } from '../src/index.js';

const SCHEMA = `cells_${randomBytes(4).toString('hex')}`;

class Create1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of createDeliveryTables(SCHEMA)) await runner.query(statement);
  }
  down = () => Promise.resolve();
}

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const dataSource = () =>
  createDataSource({
    databaseUrl: database.url,
    schema: SCHEMA,
    entities: [],
    migrations: [Create1700000000001],
  });
const madeIds = async () => {
  const rows = await database.query<{ id: string }>(
    `SELECT ${SCHEMA}.uuid_v7() AS id FROM generate_series(1, 100)`,
  );
  return rows.map(({ id }) => id);
};

it.each([undefined, 0, 7, 255])('with CELL %s, ids of the database carry it', async (cell) => {
  await migrate(dataSource(), 'up', { cell });
  const ids = await madeIds();
  expect(new Set(ids.map(cellOf))).toEqual(new Set([cell ?? 0]));
  expect(ids.every((id) => /^.{14}7.{4}[89ab]/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(100);
});

it('migrations refuse another cell later, and change nothing', async () => {
  await migrate(dataSource(), 'up', { cell: 7 });
  await expect(migrate(dataSource(), 'up', { cell: 3 })).rejects.toThrow(
    'CELL is 3, but the database was created as cell 7',
  );
  await migrate(dataSource(), 'up', { cell: 7 });
  expect(cellOf((await madeIds())[0] ?? '')).toBe(7);
});
