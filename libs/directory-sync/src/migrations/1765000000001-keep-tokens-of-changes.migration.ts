import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What a run can ask its provider for changes with, and whether it found none. The old version writes
 * neither, so that the run after one of it lists.
 */
export class KeepTokensOfChanges1765000000001 implements MigrationInterface {
  readonly name = 'KeepTokensOfChanges1765000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE dsync.workspace_runs ADD COLUMN change_token text,
      ADD COLUMN unchanged_since timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE dsync.workspace_runs DROP COLUMN change_token,
      DROP COLUMN unchanged_since`);
  }
}
