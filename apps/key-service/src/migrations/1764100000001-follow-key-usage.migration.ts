import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What the events about the use of keys need: `key.rotation_completed` and `key.rate_limited`. */
export class FollowKeyUsage1764100000001 implements MigrationInterface {
  readonly name = 'FollowKeyUsage1764100000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE keys.api_keys
        ADD COLUMN rotated_from text COLLATE "C",
        ADD COLUMN rate_limit_notice_time timestamptz`);
    // Rotations that are under way.
    await runner.query(`
      UPDATE keys.api_keys AS successor SET rotated_from = replaced.key_id
      FROM keys.api_keys AS replaced
      WHERE replaced.replaced_by = successor.key_id AND successor.last_used_time IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE keys.api_keys DROP COLUMN rotated_from, DROP COLUMN rate_limit_notice_time`);
  }
}
