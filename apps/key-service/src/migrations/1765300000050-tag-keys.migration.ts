import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Labels of keys, by which lists are filtered. */
export class TagKeys1765300000050 implements MigrationInterface {
  readonly name = 'TagKeys1765300000050';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE keys.api_keys ADD COLUMN tags text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE keys.api_keys DROP COLUMN tags');
  }
}
