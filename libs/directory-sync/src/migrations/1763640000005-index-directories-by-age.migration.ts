import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Indexes for listing directories newest first: all of them, by product and by type.
 */
export class ListDirectoriesByAge1763640000005 implements MigrationInterface {
  readonly name = 'ListDirectoriesByAge1763640000005';

  async up(runner: QueryRunner): Promise<void> {
    for (const [index, columns] of CHOSEN_BY) {
      await runner.query(`DROP INDEX dsync.${index}`);
      await runner.query(`CREATE INDEX ${index} ON dsync.directories (${columns}, created_at, id)`);
    }
    await runner.query('CREATE INDEX directories_created_at ON dsync.directories (created_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX dsync.directories_created_at');
    for (const [index, columns] of CHOSEN_BY) {
      await runner.query(`DROP INDEX dsync.${index}`);
      await runner.query(`CREATE INDEX ${index} ON dsync.directories (${columns}, id)`);
    }
  }
}

const CHOSEN_BY = [
  ['directories_product', 'product'],
  ['directories_type', 'type'],
] as const;
