import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** When to look whether a key is still used. Keys younger than KEY_UNUSED_AFTER have no row. */
export class CheckUnusedKeys1764200000001 implements MigrationInterface {
  readonly name = 'CheckUnusedKeys1764200000001';

  async up(runner: QueryRunner): Promise<void> {
    // A check is due KEY_UNUSED_AFTER after check_from. announced_use is the last use before the
    // newest notice.
    await runner.query(`
      CREATE TABLE keys.unused_checks (
        key_id text COLLATE "C" PRIMARY KEY,
        check_from timestamptz NOT NULL,
        announced_use timestamptz
      )`);
    await runner.query(`CREATE INDEX unused_checks_due ON keys.unused_checks (check_from)`);

    // Up to which creation time the keys of a kind have rows.
    await runner.query(`
      CREATE TABLE keys.unused_scans (kind text PRIMARY KEY, position timestamptz NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE keys.unused_scans, keys.unused_checks');
  }
}
