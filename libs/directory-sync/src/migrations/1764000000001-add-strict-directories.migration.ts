import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Directories may refuse what the SCIM interoperability profile forbids. */
export class AddStrictDirectories1764000000001 implements MigrationInterface {
  readonly name = 'AddStrictDirectories1764000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE dsync.directories ADD COLUMN strict boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.directories DROP COLUMN strict');
  }
}
