import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The guard of SCIM directories: its settings, what has been removed since a window began, and the
 * removals that wait for a decision. The run that holds them has the trigger `scim`.
 */
export class GuardDirectories1764800000001 implements MigrationInterface {
  readonly name = 'GuardDirectories1764800000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM dsync.workspace_runs WHERE trigger = 'scim'`);
    await runner.query(`ALTER TABLE dsync.workspace_runs DROP CONSTRAINT workspace_runs_trigger_check,
      ADD CONSTRAINT workspace_runs_trigger_check
        CHECK (trigger IN ('schedule', 'demand', 'push', 'callback'))`);
    await runner.query('DROP TABLE dsync.held_removals, dsync.guard_windows');
    await runner.query('ALTER TABLE dsync.directories DROP COLUMN guard');
  }
}

const STATEMENTS = [
  'ALTER TABLE dsync.directories ADD COLUMN guard jsonb',

  `CREATE TABLE dsync.guard_windows (
    directory_id uuid PRIMARY KEY REFERENCES dsync.directories (id),
    started_at timestamptz,
    users_before integer NOT NULL DEFAULT 0,
    groups_before integer NOT NULL DEFAULT 0,
    users integer NOT NULL DEFAULT 0,
    groups integer NOT NULL DEFAULT 0,
    open_until timestamptz
  )`,

  `CREATE TABLE dsync.held_removals (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    kind text NOT NULL CHECK (kind IN ('user', 'group')),
    resource_id uuid NOT NULL,
    operation text NOT NULL CHECK (operation IN ('delete', 'deactivate', 'empty')),
    PRIMARY KEY (directory_id, kind, resource_id)
  )`,

  `ALTER TABLE dsync.workspace_runs DROP CONSTRAINT workspace_runs_trigger_check,
    ADD CONSTRAINT workspace_runs_trigger_check
      CHECK (trigger IN ('schedule', 'demand', 'push', 'callback', 'scim')) NOT VALID`,
];
