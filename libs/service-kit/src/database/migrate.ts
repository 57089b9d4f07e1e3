import { type DataSource } from 'typeorm';

/** Any number that no other program of this database uses for an advisory lock. */
const LOCK_ID = 7_120_301;

/**
 * Runs all pending migrations, or takes all of them back, one transaction each. Two at once are
 * safe: the second waits for the first and finds nothing left to do.
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

async function runAll(dataSource: DataSource): Promise<string[]> {
  return (await dataSource.runMigrations({ transaction: 'each' })).map(({ name }) => name);
}

async function undoAll(dataSource: DataSource): Promise<string[]> {
  const table = `"${schemaOf(dataSource)}"."migrations"`;
  const undone: string[] = [];
  for (;;) {
    const [last] = await dataSource.query<{ name: string }[]>(
      `SELECT name FROM ${table} ORDER BY id DESC LIMIT 1`,
    );
    if (!last) return undone;
    await dataSource.undoLastMigration({ transaction: 'each' });
    undone.push(last.name);
  }
}

function schemaOf(dataSource: DataSource): string {
  return (dataSource.options as { schema?: string }).schema ?? 'public';
}
