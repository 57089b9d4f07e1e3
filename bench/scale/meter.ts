import { Client } from 'pg';
import { type Usage } from '../lone/usage.js';

/** Counts what all statements in a database have taken so far. */
export async function openMeter(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const read = async () => (await client.query<Usage>(USAGE)).rows[0] ?? {};
  return { read, close: () => client.end() };
}

const USAGE = `SELECT
    sum(calls)::float8 AS statements,
    sum(shared_blks_hit + shared_blks_read)::float8 AS pages,
    sum(shared_blks_read)::float8 AS "pages from the disk",
    sum(wal_bytes)::float8 AS "bytes of WAL",
    sum(total_exec_time)::float8 * 1000 AS "PostgreSQL µs"
  FROM pg_stat_statements JOIN pg_database d ON d.oid = dbid
  WHERE datname = current_database() AND query !~ 'pg_stat_statements'`;
