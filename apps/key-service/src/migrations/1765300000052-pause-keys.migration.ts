import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Keys that are paused, revocations that can be taken back, and keys whose events are to be erased. */
export class PauseKeys1765300000052 implements MigrationInterface {
  readonly name = 'PauseKeys1765300000052';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE keys.api_keys
        ADD COLUMN pause_time timestamptz,
        ADD COLUMN resume_time timestamptz,
        ADD COLUMN undelete_until timestamptz`);
    // `day` is the next day whose events are to be erased. The second pass over the days finds what
    // deliveries that were under way have logged meanwhile.
    await runner.query(`
      CREATE TABLE keys.erasures (
        key_id text COLLATE "C" NOT NULL,
        pass smallint NOT NULL,
        due_time timestamptz NOT NULL,
        day date NOT NULL,
        last_day date NOT NULL,
        PRIMARY KEY (key_id, pass)
      )`);
    await runner.query('CREATE INDEX erasures_day ON keys.erasures (day, key_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE keys.erasures');
    await runner.query(`
      ALTER TABLE keys.api_keys
        DROP COLUMN undelete_until, DROP COLUMN resume_time, DROP COLUMN pause_time`);
  }
}
