import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The actor of an erased key, until it is removed from counts and portal sessions too. */
export class EraseUsage1765300002600 implements MigrationInterface {
  readonly name = 'EraseUsage1765300002600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE keys.erasures ADD COLUMN actor_id text COLLATE "C"');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE keys.erasures DROP COLUMN actor_id');
  }
}
