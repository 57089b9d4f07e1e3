import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The limits of keys that are made on the pages of a portal session. */
export class LimitPortalKeys1765300002700 implements MigrationInterface {
  readonly name = 'LimitPortalKeys1765300002700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE keys.portal_sessions ADD COLUMN rate_limits jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE keys.portal_sessions DROP COLUMN rate_limits');
  }
}
