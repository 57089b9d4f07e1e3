import { setTimeout as sleep } from 'node:timers/promises';
import { type Migration, type MigrationExecutor, type QueryRunner } from 'typeorm';
import { sqlFault } from '@gatehouse/kit/sql';
import { forgetVersion, recordVersion, type VersionedMigration } from './migration-versions.js';

export interface StepOptions {
  /** How long a statement may wait for a lock before its migration is rolled back and tried again. */
  readonly lockTimeoutMs: number;
  /** How often a migration is tried before the run fails. */
  readonly tries: number;
  /** How often a migration that takes long is reported. */
  readonly progressEveryMs: number;
  /** Receives lines about long work and repeated tries. */
  readonly report: (line: string) => void;
}

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';
const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 15_000;

/**
 * Runs one migration on the connection of `runner`.
 *
 * A statement that waits for a lock makes all later users of the table wait behind it. It therefore
 * waits for a short time only; then the migration is rolled back, which lets them pass, and tried again.
 *
 * A migration with `transaction = false` may only contain statements that let reads and writes pass
 * while they wait, such as `CREATE INDEX CONCURRENTLY`, so its waits have no limit: starting over would
 * repeat the work. What an interrupted build left behind is removed first.
 */
export class MigrationStep {
  constructor(
    private readonly executor: MigrationExecutor,
    private readonly runner: QueryRunner,
    private readonly schema: string,
    private readonly options: StepOptions,
  ) {}

  async run(direction: 'up' | 'down', migration: Migration): Promise<void> {
    const { tries, report, lockTimeoutMs } = this.options;
    for (let count = 1; ; count += 1) {
      try {
        await reportingProgress(migration.name, this.options, () =>
          this.runOnce(direction, migration),
        );
        return;
      } catch (error) {
        const { code } = sqlFault(error);
        if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw nameMigration(migration, error);
        const held = `other transactions hold its tables for more than ${lockTimeoutMs / 1_000} s`;
        if (count >= tries) {
          throw new Error(`${migration.name}: gave up after ${tries} tries, ${held}`, {
            cause: error,
          });
        }
        const pauseMs = Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (count - 1));
        report(`${migration.name}: ${held}; try ${count + 1} of ${tries} in ${pauseMs / 1_000} s`);
        await sleep(pauseMs);
      }
    }
  }

  private async runOnce(direction: 'up' | 'down', migration: Migration): Promise<void> {
    const { runner } = this;
    if (migration.instance?.transaction === false) {
      await runner.query('SET lock_timeout = 0');
      await this.dropInvalidIndexes();
      await this.change(direction, migration);
      return;
    }
    await runner.query(`SET lock_timeout = ${this.options.lockTimeoutMs}`);
    await runner.startTransaction();
    try {
      await this.change(direction, migration);
      await runner.commitTransaction();
    } catch (error) {
      // The fault of the migration says more than that of the rollback on a lost connection.
      await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  }

  private async change(direction: 'up' | 'down', migration: Migration): Promise<void> {
    const { executor, runner, schema } = this;
    const { name, instance } = migration;
    if (direction === 'up') {
      await executor.executeMigration(migration);
      const { oldestVersion } = (instance ?? {}) as Partial<VersionedMigration>;
      await recordVersion(runner, schema, { name, oldestVersion });
      return;
    }
    await instance?.down(runner);
    await executor.deleteMigration(migration);
    await forgetVersion(runner, schema, migration);
  }

  private async dropInvalidIndexes(): Promise<void> {
    // Only of plain tables ('i'): the index of a partitioned table is invalid until all parts have it.
    const invalid = (await this.runner.query(
      `SELECT format('%I.%I', $1::text, c.relname) AS name
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'i' AND NOT i.indisvalid`,
      [this.schema],
    )) as { name: string }[];
    for (const { name } of invalid) {
      this.options.report(`dropping ${name}, whose build was interrupted`);
      await this.runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    }
  }
}

/** Reports `what` and its duration while `work` takes long. */
export async function reportingProgress<T>(
  what: string,
  { progressEveryMs, report }: Pick<StepOptions, 'progressEveryMs' | 'report'>,
  work: () => Promise<T>,
): Promise<T> {
  const startMs = performance.now();
  const timer = setInterval(() => {
    report(`${what}: ${Math.round((performance.now() - startMs) / 1_000)} s so far`);
  }, progressEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

function nameMigration({ name }: Migration, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(`${name}: ${reason}`, { cause: error });
}
