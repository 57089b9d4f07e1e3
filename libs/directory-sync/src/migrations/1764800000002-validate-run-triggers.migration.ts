import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Checks the rows that were there when the guard of SCIM directories added its trigger. */
export class ValidateRunTriggers1764800000002 implements MigrationInterface {
  readonly name = 'ValidateRunTriggers1764800000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE dsync.workspace_runs VALIDATE CONSTRAINT workspace_runs_trigger_check',
    );
  }

  async down(): Promise<void> {
    // A constraint that is valid stays valid.
  }
}
