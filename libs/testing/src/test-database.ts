import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { requiredVariable } from './required-variable.js';

export interface TestDatabase {
  url: string;
  /** Queries on a connection of the test, to check what the service stored. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/**
 * A fresh database on the PostgreSQL server of TEST_DATABASE_URL, or on another.
 * @param template the database to copy; empty without one
 */
export async function createTestDatabase(
  serverUrl = requiredVariable('TEST_DATABASE_URL'),
  template = 'template1',
): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);

  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  // A pool connects again after a restart of the server.
  const connection = new pg.Pool({ connectionString: url.href, max: 1, idleTimeoutMillis: 0 });
  connection.on('error', () => undefined);

  return {
    url: url.href,
    query: async <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) =>
      (await connection.query<Row>(sql, values)).rows,
    drop: async () => {
      await connection.end();
      await onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
