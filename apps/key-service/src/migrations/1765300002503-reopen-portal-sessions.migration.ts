import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Until when the address of a portal session can be opened again that no one has entered. Those that the old
 * version opens cannot: it does not write the column.
 */
export class ReopenPortalSessions1765300002503 implements MigrationInterface {
  readonly name = 'ReopenPortalSessions1765300002503';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE keys.portal_sessions ADD COLUMN reopen_expire_time timestamptz(3)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE keys.portal_sessions DROP COLUMN reopen_expire_time');
  }
}
