/** The runner of migrations, beside users of the tables that it changes. */
import { createTestDatabase, eventually, type TestDatabase } from '@gatehouse/testing';
import { Client } from 'pg';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { BUILD_INFO } from '../src/config/build-info.js';
import { createDataSource } from '../src/database/data-source.js';
import { migrate, type MigrateOptions } from '../src/database/migrate.js';

let database: TestDatabase;
let other: Client;

beforeEach(async () => {
  database = await createTestDatabase();
  other = new Client(database.url);
  other.on('error', () => undefined);
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await database.drop();
});

type Migrations = (new () => MigrationInterface)[];

/** A migration that runs `up`, and `down` when it is reverted. */
function migrationOf(name: string, up: string, { down = 'SELECT 1', transaction = true } = {}) {
  return class implements MigrationInterface {
    readonly name = name;
    readonly transaction = transaction;
    up = (runner: QueryRunner) => runner.query(up) as Promise<void>;
    down = (runner: QueryRunner) => runner.query(down) as Promise<void>;
  };
}

const CREATE = migrationOf('Create1700000000001', 'CREATE TABLE kit_test.thing (id int)', {
  down: 'DROP TABLE kit_test.thing',
});
const ADD = migrationOf('Add1700000000002', 'ALTER TABLE kit_test.thing ADD COLUMN name text', {
  down: 'ALTER TABLE kit_test.thing DROP COLUMN name',
});
const INDEX = migrationOf(
  'Index1700000000003',
  'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS thing_id ON kit_test.thing (id)',
  { down: 'DROP INDEX CONCURRENTLY IF EXISTS kit_test.thing_id', transaction: false },
);

const run = (
  migrations: Migrations,
  options: MigrateOptions = {},
  direction: 'up' | 'down' = 'up',
) => {
  const definition = { databaseUrl: database.url, schema: 'kit_test', entities: [], migrations };
  return migrate(createDataSource(definition), direction, options);
};

const indexes = () =>
  database.query(
    `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('kit_test.thing_id')`,
  );

/** Resolves once a session runs a statement with this text. */
const running = (text: string) =>
  eventually(async () => {
    const sessions = await database.query(
      'SELECT FROM pg_stat_activity WHERE strpos(query, $1) > 0 AND state = $2 AND pid <> pg_backend_pid()',
      [text, 'active'],
    );
    expect(sessions).toHaveLength(1);
  });

describe('a run of migrations', () => {
  it('has no limit for its statements, and reports those that take long', async () => {
    const limits = `DO $$ BEGIN
      ASSERT current_setting('statement_timeout') = '0', 'statement_timeout';
      ASSERT current_setting('lock_timeout') = '5s', 'lock_timeout';
      PERFORM pg_sleep(0.4);
    END $$`;
    const lines: string[] = [];
    const options = { progressEveryMs: 100, report: (line: string) => lines.push(line) };
    await run([migrationOf('Slow1700000000001', limits)], options);
    expect(lines).toContain('Slow1700000000001: 0 s so far');
  });

  it('gives way to those who wait behind it for a table, and then tries again', async () => {
    await run([CREATE]);
    await other.query('BEGIN; SELECT FROM kit_test.thing');
    const lines: string[] = [];
    const migrated = run([CREATE, ADD], {
      lockTimeoutMs: 300,
      report: (line) => {
        lines.push(line);
        void other.query('COMMIT');
      },
    });
    await running('ADD COLUMN name');
    // Waits behind the migration, and passes although the first reader still holds the table.
    expect(await database.query('SELECT FROM kit_test.thing')).toEqual([]);
    expect(await migrated).toEqual(['Add1700000000002']);
    expect(lines).toEqual([
      'Add1700000000002: other transactions hold its tables for more than 0.3 s; try 2 of 10 in 1 s',
    ]);
  });

  it('fails after the last try, and leaves nothing of the migration', async () => {
    await run([CREATE]);
    await other.query('BEGIN; SELECT FROM kit_test.thing');
    const both = migrationOf(
      'Both1700000000002',
      'CREATE TABLE kit_test.second (id int); ALTER TABLE kit_test.thing ADD COLUMN name text',
    );
    await expect(run([CREATE, both], { lockTimeoutMs: 100, tries: 1 })).rejects.toThrow(
      'Both1700000000002: gave up after 1 tries',
    );
    expect(await database.query(`SELECT to_regclass('kit_test.second')`)).toEqual([
      { to_regclass: null },
    ]);
  });

  it('leaves nothing of a migration whose connection is lost, and continues there', async () => {
    await run([CREATE]);
    await other.query('BEGIN; SELECT FROM kit_test.thing');
    const lost = run([CREATE, ADD]).catch((error: unknown) => String(error));
    await running('ADD COLUMN name');
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE query LIKE 'ALTER TABLE%' AND datname = current_database()`,
    );
    expect(await lost).toContain('Add1700000000002: terminating connection');
    await other.query('COMMIT');
    expect(await run([CREATE, ADD])).toEqual(['Add1700000000002']);
  });

  it('keeps the migrations before the one that fails, which the error names', async () => {
    const broken = migrationOf('Broken1700000000002', 'SELECT 1 / 0');
    await expect(run([CREATE, broken])).rejects.toThrow('Broken1700000000002: division by zero');
    expect(await run([CREATE, ADD])).toEqual(['Add1700000000002']);
  });
});

describe('a migration without a transaction', () => {
  it('builds its index while another run waits', async () => {
    await run([CREATE]);
    await other.query('BEGIN; INSERT INTO kit_test.thing VALUES (1)');
    const first = run([CREATE, INDEX]);
    await running('CREATE UNIQUE INDEX CONCURRENTLY');
    const lines: string[] = [];
    const report = (line: string) => lines.push(line);
    const second = run([CREATE, INDEX], { progressEveryMs: 100, report });
    await eventually(() =>
      expect(lines).toContain('waiting for another run of migrations: 0 s so far'),
    );
    await other.query('COMMIT');
    expect(await first).toEqual(['Index1700000000003']);
    expect(await second).toEqual([]);
    expect(await indexes()).toEqual([{ indisvalid: true }]);
  });

  it('builds its index again when the run before was interrupted', async () => {
    await run([CREATE]);
    await other.query('BEGIN; INSERT INTO kit_test.thing VALUES (1)');
    const interrupted = run([CREATE, INDEX]).catch((error: unknown) => String(error));
    await running('CREATE UNIQUE INDEX CONCURRENTLY');
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE query LIKE 'CREATE UNIQUE INDEX%' AND datname = current_database()`,
    );
    expect(await interrupted).toContain('Index1700000000003');
    await other.query('COMMIT');
    expect(await indexes()).toEqual([{ indisvalid: false }]);
    expect(await run([CREATE, INDEX])).toEqual(['Index1700000000003']);
    expect(await indexes()).toEqual([{ indisvalid: true }]);
  });
});

describe('an older version', () => {
  const { version } = BUILD_INFO;
  const refusal = `This is Gatehouse ${version}, but ${version} has applied Drop1700000000002 to kit_test, which needs 999.10.0 or newer`;
  const DROP = class extends migrationOf(
    'Drop1700000000002',
    'ALTER TABLE kit_test.thing DROP COLUMN id',
    { down: 'ALTER TABLE kit_test.thing ADD COLUMN id int' },
  ) {
    readonly oldestVersion = '999.10.0';
  };

  it('refuses tables that lack what it uses, by the migration and the version it needs', async () => {
    await run([CREATE, DROP]);
    await expect(run([CREATE])).rejects.toThrow(refusal);
    expect(await run([CREATE, DROP])).toEqual([]);
  });

  it('works with other tables of a newer one, and with those that it leaves when reverted', async () => {
    await run([CREATE, ADD]);
    expect(await run([CREATE])).toEqual([]);
    await run([CREATE, ADD, DROP], {}, 'up');
    await run([CREATE, ADD, DROP], { to: 'Add1700000000002' }, 'down');
    expect(await run([CREATE])).toEqual([]);
  });
});

describe('reverting', () => {
  it('ends at the migration that is named', async () => {
    await run([CREATE, ADD, INDEX]);
    const reverted = await run([CREATE, ADD, INDEX], { to: 'Create1700000000001' }, 'down');
    expect(reverted).toEqual(['Index1700000000003', 'Add1700000000002']);
    expect(await run([CREATE, ADD, INDEX])).toEqual(['Add1700000000002', 'Index1700000000003']);
  });

  it('changes nothing when the name is unknown, or a newer version applied a migration', async () => {
    await run([CREATE, ADD]);
    await expect(run([CREATE, ADD], { to: 'Unknown1' }, 'down')).rejects.toThrow(
      'Unknown1 is not applied; applied are Create1700000000001, Add1700000000002',
    );
    await expect(run([CREATE], {}, 'down')).rejects.toThrow(
      'only the version that applied Add1700000000002 can revert it',
    );
    expect(await run([CREATE, ADD])).toEqual([]);
  });

  it('has nothing to do in an empty database', async () => {
    expect(await run([CREATE], {}, 'down')).toEqual([]);
  });
});
