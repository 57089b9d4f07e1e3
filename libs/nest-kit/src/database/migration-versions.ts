/** The versions that applied the migrations of a schema: an older version refuses tables that it cannot use. */
import { type MigrationInterface } from 'typeorm';
import { BUILD_INFO } from '../config/build-info.js';

export interface VersionedMigration extends MigrationInterface {
  /** The oldest version that works with the tables afterwards, if they lack what earlier ones use. */
  readonly oldestVersion?: string;
}

/** A connection, or a pool. */
interface Database {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

interface AppliedMigration {
  readonly name: string;
  /** The version that applied it. */
  readonly version: string;
  readonly oldestVersion: string | null;
}

export async function createVersionsTable(database: Database, schema: string): Promise<void> {
  await database.query(
    `CREATE TABLE IF NOT EXISTS ${tableOf(schema)} (
      name text PRIMARY KEY, version text NOT NULL, oldest_version text)`,
  );
}

export async function recordVersion(
  database: Database,
  schema: string,
  { name, oldestVersion }: { name: string; oldestVersion?: string },
): Promise<void> {
  await database.query(
    `INSERT INTO ${tableOf(schema)} (name, version, oldest_version) VALUES ($1, $2, $3)
      ON CONFLICT (name) DO NOTHING`,
    [name, BUILD_INFO.version, oldestVersion],
  );
}

export async function forgetVersion(
  database: Database,
  schema: string,
  { name }: { name: string },
): Promise<void> {
  await database.query(`DELETE FROM ${tableOf(schema)} WHERE name = $1`, [name]);
}

/**
 * @param known the names of this version's migrations
 * @returns the others that are applied, by newer versions whose tables this one works with
 * @throws Error that names a migration after which this version does not work
 */
export async function refuseDowngrade(
  database: Database,
  schema: string,
  known: readonly string[],
): Promise<AppliedMigration[]> {
  const table = tableOf(schema);
  const [found] = (await database.query('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [
    table,
  ])) as { isThere: boolean }[];
  if (!found?.isThere) return [];
  const newer = (await database.query(
    `SELECT name, version, oldest_version AS "oldestVersion" FROM ${table}
      WHERE name <> ALL ($1::text[]) ORDER BY name`,
    [known],
  )) as AppliedMigration[];
  const { version } = BUILD_INFO;
  for (const { name, version: other, oldestVersion } of newer) {
    if (oldestVersion === null || !isBefore(version, oldestVersion)) continue;
    throw new Error(
      `This is Gatehouse ${version}, but ${other} has applied ${name} to ${schema}, ` +
        `which needs ${oldestVersion} or newer: start that, or restore the backup of before`,
    );
  }
  return newer;
}

/** Compares `major.minor.patch`. */
function isBefore(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) < 0;
}

function tableOf(schema: string): string {
  return `"${schema}"."migration_versions"`;
}
