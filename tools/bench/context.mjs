// @ts-check
import { Client } from 'pg';
import { migrateApp } from '../local-stack/migrations.mjs';

/**
 * What the entries of a benchmark are given, and the closing of all that they started.
 *
 * @param {object} options
 * @param {string} options.root
 * @param {string} options.name
 * @param {string} [options.postgresUrl] a server on which databases may be made
 * @param {string} [options.redisUrl]
 * @param {string} options.peersDir
 * @param {boolean} options.keep leave the databases for a look afterwards
 * @returns {{ context: import('./types.mjs').BenchContext, close: () => Promise<void> }}
 */
export function createContext({ root, name, postgresUrl, redisUrl, peersDir, keep }) {
  /** @type {(() => Promise<void> | void)[]} */
  const closers = [];
  /** @type {Map<string, Promise<string>>} */
  const databases = new Map();
  const run = `${process.pid}_${Date.now().toString(36)}`;

  /** @param {string} label */
  const createDatabase = async (label) => {
    if (postgresUrl === undefined) throw new Error(`${name} must say \`postgres: true\``);
    const database = `bench_${label}_${run}`.replaceAll(/[^a-z0-9_]/g, '_');
    await query(postgresUrl, `CREATE DATABASE "${database}"`);
    if (!keep) {
      closers.unshift(() => query(postgresUrl, `DROP DATABASE "${database}" WITH (FORCE)`));
    }
    const url = new URL(postgresUrl);
    url.pathname = `/${database}`;
    return url.href;
  };

  /** @type {import('./types.mjs').BenchContext} */
  const context = {
    root,
    peersDir,
    redisNamespace: `bench-${run}`,
    state: undefined,
    sample: undefined,
    get redisUrl() {
      if (redisUrl === undefined) throw new Error(`${name} must say \`redis: true\``);
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

  return {
    context,
    // Last in, first out: a server stops before its database is dropped.
    close: async () => {
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        try {
          await close();
        } catch (error) {
          context.log(
            `while cleaning up: ${error instanceof Error ? error.message : String(error)}`,
          );
        }
      }
    },
  };
}

/**
 * @param {string} connectionString
 * @param {string} sql
 */
async function query(connectionString, sql) {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
