import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Pages of lists that are filtered by name, visibility or expiry, without reading other keys. */
export class IndexFilteredLists1763600000003 implements MigrationInterface {
  readonly name = 'IndexFilteredLists1763600000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX api_keys_name ON keys.api_keys (kind, name, create_time DESC, key_id DESC)`);
    await runner.query(`
      CREATE INDEX api_keys_visibility
      ON keys.api_keys (kind, visibility, create_time DESC, key_id DESC)`);
    await runner.query(`
      CREATE INDEX api_keys_expire_time ON keys.api_keys (kind, expire_time DESC, key_id DESC)`);
    // The new index serves expired keys as well.
    await runner.query('DROP INDEX keys.api_keys_expiry');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX api_keys_expiry ON keys.api_keys (kind, expire_time)
      WHERE revoke_time IS NULL`);
    await runner.query('DROP INDEX keys.api_keys_expire_time');
    await runner.query('DROP INDEX keys.api_keys_visibility');
    await runner.query('DROP INDEX keys.api_keys_name');
  }
}
