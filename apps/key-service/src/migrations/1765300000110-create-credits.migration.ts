import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Balances of keys. Keys that replace one another share a balance, so it has an id of its own: that of
 * its first key. Verifications change the rows often, and no column that changes is in an index.
 */
export class CreateCredits1765300000110 implements MigrationInterface {
  readonly name = 'CreateCredits1765300000110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE keys.credits (
        account_id text COLLATE "C" PRIMARY KEY,
        remaining bigint NOT NULL CHECK (remaining >= 0),
        refill_amount bigint CHECK (refill_amount > 0),
        refill_seconds bigint CHECK (refill_seconds >= 60),
        refill_time timestamptz,
        period bigint NOT NULL DEFAULT 0,
        granted bigint NOT NULL DEFAULT 0,
        is_strict boolean NOT NULL,
        request_ids text[] NOT NULL DEFAULT '{}',
        CHECK ((refill_amount IS NULL) = (refill_seconds IS NULL)),
        CHECK ((refill_amount IS NULL) = (refill_time IS NULL))
      ) WITH (fillfactor = 50)`);
    await runner.query('ALTER TABLE keys.api_keys ADD COLUMN credit_account text COLLATE "C"');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE keys.api_keys DROP COLUMN credit_account');
    await runner.query('DROP TABLE keys.credits');
  }
}
