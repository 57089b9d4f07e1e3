import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What processes have reserved of the quota of each directory (ADR 0024), starting with what it
 * holds. Writes of the previous version are not counted until the next count.
 */
export class LimitDirectories1763640000007 implements MigrationInterface {
  readonly name = 'LimitDirectories1763640000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE dsync.directories ADD COLUMN reserved_users bigint NOT NULL DEFAULT 0,
        ADD COLUMN reserved_groups bigint NOT NULL DEFAULT 0,
        ADD COLUMN reserved_bytes bigint NOT NULL DEFAULT 0,
        ADD COLUMN usage_counted_at timestamptz NOT NULL DEFAULT now()`,
    );
    for (const table of ['users', 'groups']) {
      await runner.query(
        `UPDATE dsync.directories d SET reserved_${table} = s.count,
            reserved_bytes = d.reserved_bytes + s.bytes
          FROM (SELECT directory_id, count(*), sum(raw_bytes) AS bytes FROM dsync.${table}
            GROUP BY directory_id) s
          WHERE d.id = s.directory_id`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE dsync.directories DROP COLUMN reserved_users, DROP COLUMN reserved_groups,
        DROP COLUMN reserved_bytes, DROP COLUMN usage_counted_at`,
    );
  }
}
