import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Push notifications of workspace directories. `run_due_at`: something has changed, so a run is due.
 * `check_at`: when the channels are opened or renewed next. A channel without `expires_at` is being
 * opened. The old version ignores both tables.
 */
export class CreateWorkspacePush1764900000001 implements MigrationInterface {
  readonly name = 'CreateWorkspacePush1764900000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dsync.workspace_channels, dsync.workspace_push');
  }
}

const STATEMENTS = [
  `CREATE TABLE dsync.workspace_push (
    directory_id uuid PRIMARY KEY REFERENCES dsync.directories ON DELETE CASCADE,
    run_due_at timestamptz,
    pushed_at timestamptz,
    check_at timestamptz NOT NULL DEFAULT now(),
    leased_by uuid,
    leased_until timestamptz,
    setbacks integer NOT NULL DEFAULT 0,
    error text,
    active_until timestamptz
  )`,
  `CREATE INDEX workspace_push_due ON dsync.workspace_push (run_due_at)
    WHERE run_due_at IS NOT NULL`,

  `CREATE TABLE dsync.workspace_channels (
    id uuid PRIMARY KEY,
    directory_id uuid NOT NULL REFERENCES dsync.directories ON DELETE CASCADE,
    topic text NOT NULL,
    watched text NOT NULL,
    token_sha256 bytea NOT NULL,
    provider_id text,
    expires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX workspace_channels_of_directory ON dsync.workspace_channels (directory_id)`,
];
