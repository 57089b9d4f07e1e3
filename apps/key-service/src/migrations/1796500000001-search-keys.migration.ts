import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Keys are searched by the beginning of their names, and actors by that of their ids, in any case. Erased keys
 * have neither.
 */
export class SearchKeys1796500000001 implements MigrationInterface {
  readonly name = 'SearchKeys1796500000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_name_prefix
      ON keys.api_keys (kind, (lower(name COLLATE "und-x-icu") COLLATE "C"), key_id DESC)
      WHERE name <> ''`);
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_actor_prefix
      ON keys.api_keys ((lower(actor_id COLLATE "und-x-icu") COLLATE "C"), (actor_id COLLATE "C"))
      WHERE actor_id <> ''`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS keys.api_keys_actor_prefix');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS keys.api_keys_name_prefix');
  }
}
