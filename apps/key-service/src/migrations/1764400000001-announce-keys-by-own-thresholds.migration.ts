import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Keys with thresholds of their own for `key.expiring`; the others follow the setting. */
export class AnnounceKeysByOwnThresholds1764400000001 implements MigrationInterface {
  readonly name = 'AnnounceKeysByOwnThresholds1764400000001';

  async up(runner: QueryRunner): Promise<void> {
    // next_expiring_time is when the key next comes within one of them.
    await runner.query(`
      ALTER TABLE keys.api_keys
        ADD COLUMN expiring_thresholds integer[],
        ADD COLUMN next_expiring_time timestamptz`);
    await runner.query(`
      CREATE INDEX api_keys_next_expiring ON keys.api_keys (next_expiring_time)
      WHERE next_expiring_time IS NOT NULL AND revoke_time IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE keys.api_keys DROP COLUMN next_expiring_time, DROP COLUMN expiring_thresholds`);
  }
}
