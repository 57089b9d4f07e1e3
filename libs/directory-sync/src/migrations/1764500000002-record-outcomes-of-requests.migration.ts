import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** When the identity provider last succeeded and last failed, for the status of a directory. */
export class RecordOutcomesOfRequests1764500000002 implements MigrationInterface {
  readonly name = 'RecordOutcomesOfRequests1764500000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE dsync.directories ADD COLUMN last_success_at timestamptz,
      ADD COLUMN last_error_at timestamptz, ADD COLUMN last_error text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE dsync.directories DROP COLUMN last_success_at,
      DROP COLUMN last_error_at, DROP COLUMN last_error`);
  }
}
