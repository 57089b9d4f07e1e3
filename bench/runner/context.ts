import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { reasonOf } from '#local-stack/fault.mjs';
import { migrateApp } from '#local-stack/migrations.mjs';
import { type BenchContext } from './types.js';

export interface ContextOptions {
  root: string;
  /** The name of the benchmark. */
  name: string;
  /** A server on which databases can be created. */
  postgresUrl?: string;
  redisUrl?: string;
  peersDir: string;
  /** Keep the databases after the run. */
  keep: boolean;
}

/**
 * Creates the context of a benchmark. `close` stops and drops everything that was started with it.
 * `npm run bench -- --against` calls this function of another checkout, so its signature is stable.
 */
export function createContext({
  root,
  name,
  postgresUrl,
  redisUrl,
  peersDir,
  keep,
}: ContextOptions) {
  const closers: (() => Promise<void> | void)[] = [];
  const databases = new Map<string, Promise<string>>();
  const run = randomBytes(6).toString('hex');

  const createDatabase = async (label: string) => {
    if (postgresUrl === undefined) throw new Error(`${name} must declare \`postgres: true\``);
    const database = `bench_${label}_${run}`.replaceAll(/[^a-z0-9_]/g, '_');
    await query(postgresUrl, `CREATE DATABASE "${database}"`);
    if (!keep) {
      closers.unshift(() => query(postgresUrl, `DROP DATABASE "${database}" WITH (FORCE)`));
    }
    return new URL(`/${database}`, postgresUrl).href;
  };

  const context: BenchContext = {
    root,
    peersDir,
    redisNamespace: `bench-${run}`,
    sample: undefined,
    get redisUrl() {
      if (redisUrl === undefined) throw new Error(`${name} must declare \`redis: true\``);
      return redisUrl;
    },
    databaseUrl: (label) => {
      const known = databases.get(label) ?? createDatabase(label);
      databases.set(label, known);
      return known;
    },
    migrate: async (app, url) => void (await migrateApp(app, url, 'up')),
    log: (text) => process.stderr.write(`  ${text}\n`),
    onClose: (close) => closers.push(close),
  };

  // Last in, first out: a server stops before its database is dropped.
  const close = async () => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) {
      try {
        await closer();
      } catch (error) {
        context.log(`Cleanup failed: ${reasonOf(error)}`);
      }
    }
  };
  return { context, close };
}

async function query(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
