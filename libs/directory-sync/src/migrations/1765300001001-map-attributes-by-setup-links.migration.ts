import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The custom attributes that the pages of a set-up link offer to map. The old version offers none. */
export class MapAttributesBySetupLinks1765300001001 implements MigrationInterface {
  readonly name = 'MapAttributesBySetupLinks1765300001001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE dsync.setup_links ADD COLUMN attributes text[] NOT NULL DEFAULT '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.setup_links DROP COLUMN attributes');
  }
}
