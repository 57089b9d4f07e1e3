import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { requiredVariable } from './required-variable.js';

export interface TestDatabase {
  url: string;
  /** The same database through the pooler of its server, if there is one. */
  serviceUrl: string;
  /** Queries on a connection of the test, to check what the service stored. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/**
 * A fresh database on the PostgreSQL server of TEST_DATABASE_URL, or on another.
 * @param template the database to copy; empty without one
 * @param serverPoolerUrl the pooler of that other server, if it has one
 */
export async function createTestDatabase(
  serverUrl?: string,
  template = 'template1',
  serverPoolerUrl?: string,
): Promise<TestDatabase> {
  const ownUrl = serverUrl ?? requiredVariable('TEST_DATABASE_URL');
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying the files takes half the time of writing their pages to the log.
  await onServer(ownUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);

  const url = new URL(ownUrl);
  const { TEST_DATABASE_URL: testUrl, TEST_DATABASE_POOLER_URL: testPooler } = process.env;
  const poolerUrl = serverPoolerUrl ?? (ownUrl === testUrl ? testPooler : undefined);
  const serviceUrl = new URL(poolerUrl || ownUrl);
  for (const each of [url, serviceUrl]) each.pathname = `/${name}`;
  // A pool connects again after a restart of the server.
  const connection = new pg.Pool({ connectionString: url.href, max: 1, idleTimeoutMillis: 0 });
  connection.on('error', () => undefined);

  return {
    url: url.href,
    serviceUrl: serviceUrl.href,
    query: async <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) =>
      (await connection.query<Row>(sql, values)).rows,
    drop: async () => {
      await connection.end();
      await onServer(ownUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/**
 * With `--stores pgbouncer`, refuses a service that goes past the pooler: its test would prove nothing.
 * @param environment of a service, in which only DATABASE_DIRECT_URL may lead to PostgreSQL itself
 */
export function refuseToPassPooler(environment: Readonly<Record<string, string>>): void {
  const { TEST_DATABASE_URL: direct, TEST_DATABASE_POOLER_URL: pooler } = process.env;
  if (!direct || !pooler) return;
  for (const [name, value] of Object.entries(environment)) {
    if (name === 'DATABASE_DIRECT_URL' || !/^postgres(ql)?:/.test(value)) continue;
    if (new URL(value).host !== new URL(direct).host) continue;
    throw new Error(`${name} leads past the pooler: give it the serviceUrl of the test database`);
  }
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
