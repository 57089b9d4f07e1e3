import { type DataSource } from 'typeorm';

/** An arbitrary advisory lock id that no other program of this database uses. */
const LOCK_ID = 7_120_301;

/** PostgreSQL's `undefined_table`. */
export const UNDEFINED_TABLE = '42P01';

/**
 * Runs all pending migrations, or reverts all of them, in one transaction each. Concurrent runs are
 * safe: the second one waits for the first and finds nothing to do.
 *
 * @param dataSource not yet initialised; it is closed again before this returns
 * @returns the names of the migrations that ran, in order
 */
export async function migrate(
  dataSource: DataSource,
  direction: 'up' | 'down' = 'up',
): Promise<string[]> {
  await dataSource.initialize();
  const lockHolder = dataSource.createQueryRunner();
  try {
    await lockHolder.query('SET statement_timeout = 0');
    await lockHolder.query('SELECT pg_advisory_lock($1)', [LOCK_ID]);
    await lockHolder.query(`CREATE SCHEMA IF NOT EXISTS "${schemaOf(dataSource)}"`);
    return direction === 'up' ? await runAll(dataSource) : await undoAll(dataSource);
  } finally {
    await lockHolder.query('SELECT pg_advisory_unlock($1)', [LOCK_ID]).catch(() => undefined);
    await lockHolder.release();
    await dataSource.destroy();
  }
}

/** The names of the code's migrations, in order. */
export function migrationNames(dataSource: DataSource): string[] {
  return dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
}

async function runAll(dataSource: DataSource): Promise<string[]> {
  return (await dataSource.runMigrations({ transaction: 'each' })).map(({ name }) => name);
}

async function undoAll(dataSource: DataSource): Promise<string[]> {
  const undone: string[] = [];
  for (;;) {
    const [last] = await dataSource.query<{ name: string }[]>(
      `SELECT name FROM ${migrationsTableOf(dataSource)} ORDER BY id DESC LIMIT 1`,
    );
    if (!last) return undone;
    await dataSource.undoLastMigration({ transaction: 'each' });
    undone.push(last.name);
  }
}

export function migrationsTableOf(dataSource: DataSource): string {
  return `"${schemaOf(dataSource)}"."migrations"`;
}

function schemaOf(dataSource: DataSource): string {
  return (dataSource.options as { schema?: string }).schema ?? 'public';
}
