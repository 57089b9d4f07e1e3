import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Until when a set-up link can be opened again whose session was not entered. Links that the old version
 * opens cannot: it does not write the column.
 */
export class ReopenSetupLinks1765300002501 implements MigrationInterface {
  readonly name = 'ReopenSetupLinks1765300002501';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.setup_links ADD COLUMN reopen_until timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.setup_links DROP COLUMN reopen_until');
  }
}
