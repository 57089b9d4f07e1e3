import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The token that a SCIM request was sent with; null for the SCIM secret of the directory. */
export class LogTokensOfRequests1765200000011 implements MigrationInterface {
  readonly name = 'LogTokensOfRequests1765200000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.scim_requests ADD COLUMN token_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.scim_requests DROP COLUMN token_id');
  }
}
