import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Hashes of the places where a key was found; null for a key that was found nowhere. */
export class ExposeKeys1765300000054 implements MigrationInterface {
  readonly name = 'ExposeKeys1765300000054';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE keys.api_keys ADD COLUMN exposed_places text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE keys.api_keys DROP COLUMN exposed_places');
  }
}
