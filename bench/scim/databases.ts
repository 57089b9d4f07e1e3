import { Client } from 'pg';
import { type BenchContext } from '../runner/types.js';

/**
 * A database whose commits do not wait for the disk. That wait takes most of the time of a write,
 * is the same on both sides and varies all the time. The row over HTTP includes it.
 */
export async function newDatabase(context: BenchContext, name: string): Promise<string> {
  const connectionString = await context.databaseUrl(name);
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const identifier = client.escapeIdentifier(new URL(connectionString).pathname.slice(1));
    await client.query(`ALTER DATABASE ${identifier} SET synchronous_commit = off`);
  } finally {
    await client.end();
  }
  return connectionString;
}

export async function migratedDatabase(context: BenchContext, name: string): Promise<string> {
  const url = await newDatabase(context, name);
  await context.migrate('dsync-api', url);
  context.log(`preparing ${name}`);
  return url;
}
