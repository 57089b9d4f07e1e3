import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Whether a PUT of a group without `members` removes them. */
export class AddPutClearsMembers1795600000011 implements MigrationInterface {
  readonly name = 'AddPutClearsMembers1795600000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE dsync.directories ADD COLUMN put_clears_members boolean NOT NULL DEFAULT false`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.directories DROP COLUMN put_clears_members');
  }
}
