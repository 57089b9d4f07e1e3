import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Checks the rows that were there when guards began to hold the removal of members. */
export class ValidateHeldOperations1765200000023 implements MigrationInterface {
  readonly name = 'ValidateHeldOperations1765200000023';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE dsync.held_removals VALIDATE CONSTRAINT held_removals_operation_check',
    );
  }

  async down(): Promise<void> {
    // A constraint that is valid stays valid.
  }
}
