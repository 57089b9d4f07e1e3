import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Indexes optional attributes together with the id, including rows without the attribute. A list
 * sorted by such an attribute then reads its index in order, and so does the page after a cursor.
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
