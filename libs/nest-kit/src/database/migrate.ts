import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { createVersionsTable, refuseDowngrade } from './migration-versions.js';
import { MigrationStep, reportingProgress, type StepOptions } from './migration-step.js';

/** An arbitrary advisory lock id that no other program of this database uses. */
const LOCK_ID = 7_120_301;
const LOCK_PAUSE_MS = 500;

/** PostgreSQL's `undefined_table`. */
export const UNDEFINED_TABLE = '42P01';

export interface MigrateOptions extends Partial<StepOptions> {
  /** For `down`: the migration that remains the newest one. Without it, all are reverted. */
  readonly to?: string;
  /** For `up`: the cell of the ids that a new database makes, 0 to 255; one that exists keeps its own. */
  readonly cell?: number;
}

/**
 * Runs all pending migrations, or reverts them, newest first. Each migration has a transaction of its
 * own, unless its class says `transaction = false`.
 *
 * Concurrent runs are safe: the second one waits for the first and finds nothing to do. One connection
 * holds the lock of the run and does the work, so both end together.
 *
 * @param dataSource not yet initialized; it is closed again before this returns
 * @returns the names of the migrations that ran, in order
 * @throws Error for `up` if a newer version has applied a migration after which this one does not work
 */
export async function migrate(
  dataSource: DataSource,
  direction: 'up' | 'down' = 'up',
  { to, cell = 0, ...given }: MigrateOptions = {},
): Promise<string[]> {
  const options: StepOptions = {
    lockTimeoutMs: 5_000,
    tries: 10,
    progressEveryMs: 10_000,
    report: () => undefined,
    ...given,
  };
  await dataSource.initialize();
  const runner = dataSource.createQueryRunner();
  try {
    // The limit of the services would cancel long migrations at every try.
    await runner.query('SET statement_timeout = 0');
    await runner.query(`SELECT set_config('gatehouse.cell', $1, false)`, [String(cell)]);
    await reportingProgress('waiting for another run of migrations', options, () => lock(runner));
    const schema = schemaOf(dataSource);
    await runner.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await createVersionsTable(runner, schema);
    if (direction === 'up') await refuseDowngrade(runner, schema, migrationNames(dataSource));
    const executor = new MigrationExecutor(dataSource, runner);
    const step = new MigrationStep(executor, runner, schema, options);
    const migrations =
      direction === 'up'
        ? await executor.getPendingMigrations()
        : await migrationsAfter(to, executor, dataSource);
    for (const migration of migrations) await step.run(direction, migration);
    if (direction === 'up') await refuseOtherCell(runner, schema, cell);
    return migrations.map(({ name }) => name);
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [LOCK_ID]).catch(() => undefined);
    await runner.release();
    await dataSource.destroy();
  }
}

/** The names of the code's migrations, in order. */
export function migrationNames(dataSource: DataSource): string[] {
  return dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
}

export function migrationsTableOf(dataSource: DataSource): string {
  return `"${schemaOf(dataSource)}"."migrations"`;
}

/**
 * Only schemas that make ids have a function `cell()`.
 * @throws Error if the database makes ids of another cell
 */
export async function refuseOtherCell(
  database: { query(text: string, values?: unknown[]): Promise<unknown> },
  schema: string,
  cell: number,
): Promise<void> {
  const name = `"${schema}".cell()`;
  const [found] = (await database.query('SELECT to_regprocedure($1) IS NOT NULL AS "makesIds"', [
    name,
  ])) as { makesIds: boolean }[];
  if (!found?.makesIds) return;
  const [stored] = (await database.query(`SELECT ${name} AS cell`)) as { cell: number }[];
  if (stored?.cell !== cell) {
    throw new Error(`CELL is ${cell}, but the database was created as cell ${stored?.cell}`);
  }
}

/**
 * Asks again and again instead of waiting in one statement: `CREATE INDEX CONCURRENTLY` waits for all
 * statements that are older, also for one that waits for this lock.
 */
async function lock(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [answer] = (await runner.query('SELECT pg_try_advisory_lock($1) AS locked', [
      LOCK_ID,
    ])) as { locked: boolean }[];
    if (answer?.locked) return;
    await sleep(LOCK_PAUSE_MS);
  }
}

/** The applied migrations behind `to`, newest first. Throws before anything is reverted. */
async function migrationsAfter(
  to: string | undefined,
  executor: MigrationExecutor,
  dataSource: DataSource,
): Promise<Migration[]> {
  const applied = await executor.getExecutedMigrations();
  const end = to === undefined ? applied.length : applied.findIndex(({ name }) => name === to);
  if (end === -1) {
    const names = applied.map(({ name }) => name).reverse();
    throw new Error(`${to} is not applied; applied are ${names.join(', ') || 'none'}`);
  }
  const names = migrationNames(dataSource);
  return applied.slice(0, end).map((migration) => {
    const instance = dataSource.migrations[names.indexOf(migration.name)];
    if (!instance) {
      throw new Error(`only the version that applied ${migration.name} can revert it`);
    }
    return Object.assign(migration, { instance });
  });
}

export function schemaOf(dataSource: DataSource): string {
  return (dataSource.options as { schema?: string }).schema ?? 'public';
}
