import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Records when the identity provider of a directory last sent a request. */
export class RecordLastRequest1763640000008 implements MigrationInterface {
  readonly name = 'RecordLastRequest1763640000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.directories ADD COLUMN last_request_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.directories DROP COLUMN last_request_at');
  }
}
