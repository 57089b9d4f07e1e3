/** What processes and stores have done so far. */
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { cpuMicros } from '../runner/servers.js';
import { type BenchContext } from '../runner/types.js';
import { type System } from './sides.js';

/** Column of the report to a number that grows. */
export type Usage = Record<string, number>;

/** What each of `units` took between two readings. */
export function usedByEach(before: Usage, after: Usage, units: number): Usage {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, (value - (before[name] ?? NaN)) / units]),
  );
}

/** Counts what a system and the stores do. Nothing else may use these stores meanwhile. */
export async function openMeter({ pids, databaseUrl }: System, { redisUrl }: BenchContext) {
  const client = new Client({ connectionString: databaseUrl });
  const redis = new Redis(redisUrl);
  await client.connect();
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const roots = {
    ...pids,
    'PostgreSQL µs': parentOf(rows[0]?.pid),
    'Redis µs': Number(/^process_id:(\d+)/m.exec(await redis.info('server'))?.[1]),
  };
  const read = async (): Promise<Usage> => {
    const stores = (await client.query<Usage>(USAGE)).rows[0];
    const calls = (await redis.info('commandstats')).matchAll(/calls=(\d+)/g);
    return {
      ...Object.fromEntries(Object.entries(roots).map(([name, pid]) => [name, treeMicros(pid)])),
      ...stores,
      'Redis commands': [...calls].reduce((sum, [, count]) => sum + Number(count), 0),
    };
  };
  const close = async () => {
    redis.disconnect();
    await client.end();
  };
  return { processes: Object.keys(roots), read, close };
}

const USAGE = `SELECT
    (SELECT sum(calls) FROM pg_stat_statements WHERE dbid = d.datid)::float8 AS statements,
    xact_commit::float8 AS transactions,
    tup_updated::float8 AS "rows updated",
    (pg_current_wal_insert_lsn() - '0/0')::float8 AS "bytes of WAL"
  FROM pg_stat_database d WHERE datname = current_database()`;

/** Processor time of a process and its children, those that have ended included. */
function treeMicros(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  const ofChildren = children.filter(Boolean).map((child) => cpuMicros(Number(child)) ?? 0);
  const [cutime, cstime] = statOf(pid).slice(13, 15);
  const ended = (Number(cutime) + Number(cstime)) * 10_000;
  return ofChildren.reduce((sum, micros) => sum + micros, (cpuMicros(pid) ?? NaN) + ended);
}

function parentOf(pid = NaN): number {
  return Number(statOf(pid)[1]);
}

/** Fields of /proc/<pid>/stat from the third on, the state. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
