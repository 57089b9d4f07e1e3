import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Events of keys that expire: exactly one for each key and threshold. */
export class NoticeExpiringKeys1764000000002 implements MigrationInterface {
  readonly name = 'NoticeExpiringKeys1764000000002';

  async up(runner: QueryRunner): Promise<void> {
    // A threshold of 0 is the expiry itself.
    await runner.query(`
      CREATE TABLE keys.expiry_notices (
        key_id text COLLATE "C" NOT NULL,
        threshold_seconds bigint NOT NULL,
        expire_time timestamptz NOT NULL,
        PRIMARY KEY (key_id, threshold_seconds)
      )`);
    await runner.query(`CREATE INDEX expiry_notices_old ON keys.expiry_notices (expire_time)`);

    // How far the scan of each threshold has come, as an expire time.
    await runner.query(`
      CREATE TABLE keys.expiry_scans (
        threshold_seconds bigint PRIMARY KEY,
        position timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE keys.expiry_scans, keys.expiry_notices');
  }
}
