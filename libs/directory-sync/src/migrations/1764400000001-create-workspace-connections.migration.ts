import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The connections of workspace directories to their providers, and the authorizations that
 * administrators have begun. What directories held is copied there, still sealed; their columns are
 * dropped in a later release, because the version before reads them.
 */
export class CreateWorkspaceConnections1764400000001 implements MigrationInterface {
  readonly name = 'CreateWorkspaceConnections1764400000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE dsync.workspace_connections (
        directory_id uuid PRIMARY KEY REFERENCES dsync.directories ON DELETE CASCADE,
        provider text NOT NULL CHECK (provider IN ('google', 'entra')),
        domain text,
        administrator text,
        state text NOT NULL CHECK (state IN ('authorized', 'needs_authorization')),
        reason text,
        changed_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        access_token_sealed text,
        refresh_token_sealed text,
        scope text,
        token_type text,
        expires_at timestamptz
      )`);
    await runner.query(`
      INSERT INTO dsync.workspace_connections (directory_id, provider, domain, state,
        access_token_sealed, refresh_token_sealed)
      SELECT id, 'google', workspace_domain,
        CASE WHEN workspace_refresh_token_sealed IS NULL
          THEN 'needs_authorization' ELSE 'authorized' END,
        workspace_access_token_sealed, workspace_refresh_token_sealed
      FROM dsync.directories WHERE type = 'workspace'`);
    await runner.query(`
      CREATE TABLE dsync.workspace_authorizations (
        state_sha256 bytea PRIMARY KEY,
        directory_id uuid NOT NULL REFERENCES dsync.directories ON DELETE CASCADE,
        verifier_sealed text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE INDEX workspace_authorizations_of_directory
        ON dsync.workspace_authorizations (directory_id, created_at DESC)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dsync.workspace_authorizations');
    await runner.query(`
      UPDATE dsync.directories d
      SET workspace_domain = c.domain,
        workspace_access_token_sealed = c.access_token_sealed,
        workspace_refresh_token_sealed = c.refresh_token_sealed
      FROM dsync.workspace_connections c WHERE c.directory_id = d.id`);
    await runner.query('DROP TABLE dsync.workspace_connections');
  }
}
