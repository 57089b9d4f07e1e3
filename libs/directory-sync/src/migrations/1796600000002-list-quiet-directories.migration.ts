import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lists the directories that are quiet, newest first, without reading the others. */
export class ListQuietDirectories1796600000002 implements MigrationInterface {
  readonly name = 'ListQuietDirectories1796600000002';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX CONCURRENTLY IF NOT EXISTS directories_quiet ON dsync.directories (created_at, id)
        WHERE deleted_at IS NULL AND NOT deactivated AND quiet_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS dsync.directories_quiet');
  }
}
