import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** When it was noticed that a directory receives no requests any more; null since its last one. */
export class NoticeQuietDirectories1764600000001 implements MigrationInterface {
  readonly name = 'NoticeQuietDirectories1764600000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.directories ADD COLUMN quiet_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.directories DROP COLUMN quiet_at');
  }
}
