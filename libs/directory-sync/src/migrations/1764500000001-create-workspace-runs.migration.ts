import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Runs of workspace directories, and what the provider listed. A listed row is also the link to the
 * stored user or group: `applied_hash` is the hash of the resource as it was stored last. `seen_run`
 * is the run that listed the row last; a row that the latest run has not seen is gone at the provider.
 */
export class CreateWorkspaceRuns1764500000001 implements MigrationInterface {
  readonly name = 'CreateWorkspaceRuns1764500000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE dsync.workspace_members, dsync.workspace_groups,
      dsync.workspace_users, dsync.workspace_runs, dsync.workspace_settings`);
  }
}

// Every run updates `seen_run` of every row: free space keeps the new version on the same page.
const UPDATED_OFTEN = 'WITH (fillfactor = 70, autovacuum_analyze_scale_factor = 0.02)';

const TABLES = [
  `CREATE TABLE dsync.workspace_settings (
    directory_id uuid PRIMARY KEY REFERENCES dsync.directories (id),
    settings jsonb NOT NULL
  )`,

  `CREATE TABLE dsync.workspace_runs (
    id uuid PRIMARY KEY,
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    trigger text NOT NULL CHECK (trigger IN ('schedule', 'demand', 'push', 'callback')),
    state text NOT NULL CHECK (state IN
      ('queued', 'listing', 'applying', 'held', 'succeeded', 'failed', 'discarded')),
    phase text NOT NULL,
    position text NOT NULL,
    page_token text,
    second_round boolean NOT NULL DEFAULT false,
    counts jsonb NOT NULL,
    pages integer NOT NULL DEFAULT 0,
    api_calls integer NOT NULL DEFAULT 0,
    setbacks integer NOT NULL DEFAULT 0,
    hold_reasons jsonb NOT NULL DEFAULT '[]',
    error text,
    not_before timestamptz NOT NULL DEFAULT now(),
    leased_by uuid,
    leased_until timestamptz,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    started_at timestamptz(3),
    finished_at timestamptz(3)
  )`,
  `CREATE UNIQUE INDEX workspace_runs_unfinished ON dsync.workspace_runs (directory_id)
    WHERE state IN ('queued', 'listing', 'applying', 'held')`,
  `CREATE INDEX workspace_runs_directory ON dsync.workspace_runs (directory_id, id)`,
  `CREATE INDEX workspace_runs_due ON dsync.workspace_runs (not_before)
    WHERE state IN ('queued', 'listing', 'applying')`,

  `CREATE TABLE dsync.workspace_users (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    external_id text COLLATE "C" NOT NULL,
    user_id uuid,
    listed_hash text NOT NULL,
    applied_hash text,
    resource jsonb,
    seen_run uuid NOT NULL,
    failure text,
    PRIMARY KEY (directory_id, external_id)
  ) ${UPDATED_OFTEN}`,

  `CREATE TABLE dsync.workspace_groups (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    external_id text COLLATE "C" NOT NULL,
    group_id uuid,
    listed_hash text NOT NULL,
    applied_hash text,
    resource jsonb,
    names text[] NOT NULL,
    chosen boolean NOT NULL,
    seen_run uuid NOT NULL,
    failure text,
    PRIMARY KEY (directory_id, external_id)
  ) ${UPDATED_OFTEN}`,

  `CREATE TABLE dsync.workspace_members (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    group_external_id text COLLATE "C" NOT NULL,
    member_external_id text COLLATE "C" NOT NULL,
    is_group boolean NOT NULL,
    seen_run uuid NOT NULL,
    PRIMARY KEY (directory_id, group_external_id, member_external_id)
  ) ${UPDATED_OFTEN}`,
];
