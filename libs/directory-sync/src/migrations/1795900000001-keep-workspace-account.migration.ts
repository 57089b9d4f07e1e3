import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The account that a workspace directory is connected to, whether an administrator has disconnected it, and
 * the caller who began an authorization.
 */
export class KeepWorkspaceAccount1795900000001 implements MigrationInterface {
  readonly name = 'KeepWorkspaceAccount1795900000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE dsync.workspace_connections
        ADD COLUMN account text, ADD COLUMN disconnected boolean NOT NULL DEFAULT false`,
    );
    await runner.query('ALTER TABLE dsync.workspace_authorizations ADD COLUMN caller text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.workspace_authorizations DROP COLUMN caller');
    await runner.query(
      'ALTER TABLE dsync.workspace_connections DROP COLUMN account, DROP COLUMN disconnected',
    );
  }
}
