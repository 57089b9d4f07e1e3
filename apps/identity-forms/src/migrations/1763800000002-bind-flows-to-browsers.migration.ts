import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class BindFlowsToBrowsers1763800000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // The digest of the cookie of the first browser that opened a flow, where only that one may.
    await queryRunner.query(
      'ALTER TABLE forms.flows ADD COLUMN is_bound boolean NOT NULL DEFAULT false, ADD COLUMN browser_digest bytea',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE forms.flows DROP COLUMN is_bound, DROP COLUMN browser_digest',
    );
  }
}
