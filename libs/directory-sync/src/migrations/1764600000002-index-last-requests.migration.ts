import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the directories that have become quiet without reading the others. */
export class IndexLastRequests1764600000002 implements MigrationInterface {
  readonly name = 'IndexLastRequests1764600000002';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS directories_last_request
      ON dsync.directories (last_request_at)
      WHERE deleted_at IS NULL AND NOT deactivated AND quiet_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS dsync.directories_last_request');
  }
}
