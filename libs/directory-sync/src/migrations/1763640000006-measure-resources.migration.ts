import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Stores the size of each resource as JSON text, so that a page can end at a number of bytes before
 * it reads the resources behind it. Adding the column rewrites both tables and blocks them meanwhile.
 */
export class MeasureResources1763640000006 implements MigrationInterface {
  readonly name = 'MeasureResources1763640000006';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(
        `ALTER TABLE dsync.${table} ADD COLUMN raw_bytes integer NOT NULL
          GENERATED ALWAYS AS (octet_length(raw::text)) STORED`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE dsync.${table} DROP COLUMN raw_bytes`);
    }
  }
}

const TABLES = ['users', 'groups'] as const;
