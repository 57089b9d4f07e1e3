import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** How far a program that embeds directory sync has handled the event log; see EventFollower. */
export class KeepEventCursor1796300000001 implements MigrationInterface {
  readonly name = 'KeepEventCursor1796300000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE dsync.event_cursors (
        name text PRIMARY KEY,
        sequence bigint NOT NULL DEFAULT 0,
        event_at timestamptz
      )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dsync.event_cursors');
  }
}
