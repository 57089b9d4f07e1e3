import { createTestDatabase } from '@gatehouse/testing';
import { DataSource } from 'typeorm';
import { BOUNDED_POOL } from '@gatehouse/kit/sql';
import { dataSourceOptions } from '../src/database/data-source.js';

/** A new database, and a pool of it whose connections have a response timeout. */
export async function openBoundedDatabase(
  poolMax: number,
  more: { answerTimeoutMs?: number } = {},
) {
  const database = await createTestDatabase();
  const options = dataSourceOptions({
    databaseUrl: database.url,
    schema: 'public',
    poolMax,
    entities: [],
    migrations: [],
  });
  const extra = { ...(options.extra as object), ...BOUNDED_POOL, ...more };
  const dataSource = await new DataSource({ ...options, extra }).initialize();
  const close = async () => {
    await dataSource.destroy();
    await database.drop();
  };
  return { database, dataSource, close };
}
