import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The period of a balance in which `key.credits_exhausted` was sent; null after credits were added. */
export class AnnounceExhaustedCredits1765300000160 implements MigrationInterface {
  readonly name = 'AnnounceExhaustedCredits1765300000160';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE keys.credits ADD COLUMN exhausted_period bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE keys.credits DROP COLUMN exhausted_period');
  }
}
