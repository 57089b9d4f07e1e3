import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Administrators consent on the pages of setup links: an authorization may belong to a link, and a link
 * records the consent. The old version begins and ends authorizations without a link only.
 */
export class ConsentBySetupLinks1765300002001 implements MigrationInterface {
  readonly name = 'ConsentBySetupLinks1765300002001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.workspace_authorizations ADD COLUMN link_id uuid');
    await runner.query('ALTER TABLE dsync.setup_links ADD COLUMN consented_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.setup_links DROP COLUMN consented_at');
    // Without the link, anyone with the state could end them.
    await runner.query('DELETE FROM dsync.workspace_authorizations WHERE link_id IS NOT NULL');
    await runner.query('ALTER TABLE dsync.workspace_authorizations DROP COLUMN link_id');
  }
}
