import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What a run takes over and what holds it, as it was set when the run began; null before that. */
export class KeepSettingsOfRuns1764600000003 implements MigrationInterface {
  readonly name = 'KeepSettingsOfRuns1764600000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.workspace_runs ADD COLUMN settings jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.workspace_runs DROP COLUMN settings');
  }
}
