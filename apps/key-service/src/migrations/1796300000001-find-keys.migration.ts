import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Issued keys are found by the last four characters of their secrets, which end their previews, and keys that
 * stopped by the actor who left.
 */
export class FindKeys1796300000001 implements MigrationInterface {
  readonly name = 'FindKeys1796300000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_last_four
      ON keys.api_keys (right(key_preview, 4), create_time DESC, key_id DESC)
      WHERE key_preview <> ''`);
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_leaver
      ON keys.api_keys (actor_id) WHERE leaver IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS keys.api_keys_leaver');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS keys.api_keys_last_four');
  }
}
