import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The roles that the pages of a set-up link offer for groups. The old version offers none. */
export class MapRolesBySetupLinks1765300002502 implements MigrationInterface {
  readonly name = 'MapRolesBySetupLinks1765300002502';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE dsync.setup_links ADD COLUMN roles text[] NOT NULL DEFAULT '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.setup_links DROP COLUMN roles');
  }
}
