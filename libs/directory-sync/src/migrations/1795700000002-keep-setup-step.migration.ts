import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The path of the step that a setup session has shown last, to which its link leads back. */
export class KeepSetupStep1795700000002 implements MigrationInterface {
  readonly name = 'KeepSetupStep1795700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.setup_links ADD COLUMN step text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.setup_links DROP COLUMN step');
  }
}
