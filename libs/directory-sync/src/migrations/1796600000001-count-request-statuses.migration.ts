import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** How the SCIM requests of an hour were answered. */
export class CountRequestStatuses1796600000001 implements MigrationInterface {
  readonly name = 'CountRequestStatuses1796600000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE dsync.scim_request_hours ADD COLUMN succeeded integer NOT NULL DEFAULT 0,
        ADD COLUMN refused integer NOT NULL DEFAULT 0, ADD COLUMN failed integer NOT NULL DEFAULT 0`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE dsync.scim_request_hours
        DROP COLUMN succeeded, DROP COLUMN refused, DROP COLUMN failed`,
    );
  }
}
