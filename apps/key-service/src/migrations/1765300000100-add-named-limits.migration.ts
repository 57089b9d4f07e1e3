import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Named rate limits of keys. A column, because a verification reads them with its key and nothing
 * reads them alone.
 */
export class AddNamedLimits1765300000100 implements MigrationInterface {
  readonly name = 'AddNamedLimits1765300000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE keys.api_keys ADD COLUMN rate_limits jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE keys.api_keys DROP COLUMN rate_limits');
  }
}
