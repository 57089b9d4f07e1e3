import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Attributes that a resource may lack are indexed where they are missing, too, and with the id
 * behind them: a list that is sorted by one of them is a walk along its index, and the page after a
 * cursor a part of it, however many resources lack the attribute.
 */
export class OrderWhatMayBeMissing1763640000004 implements MigrationInterface {
  readonly name = 'OrderWhatMayBeMissing1763640000004';

  async up(runner: QueryRunner): Promise<void> {
    for (const { index, table, column } of INDEXES) {
      await runner.query(`DROP INDEX dsync.${index}`);
      await runner.query(`CREATE INDEX ${index} ON dsync.${table} (directory_id, ${column}, id)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { index, table, column } of INDEXES) {
      await runner.query(`DROP INDEX dsync.${index}`);
      await runner.query(
        `CREATE INDEX ${index} ON dsync.${table} (directory_id, ${column})
          WHERE ${column} IS NOT NULL`,
      );
    }
  }
}

const INDEXES = [
  { index: 'users_external_id', table: 'users', column: 'external_id' },
  { index: 'users_display_name', table: 'users', column: 'display_name_lower' },
  { index: 'groups_external_id', table: 'groups', column: 'external_id' },
] as const;
