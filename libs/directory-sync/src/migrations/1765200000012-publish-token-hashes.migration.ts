import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What SCIM requests need of the tokens of their directory, in its row: a join would cost every request
 * that reads the directory, even without tokens. Each change of a token writes it anew. No release has had
 * tokens before, so there is nothing to fill in.
 */
export class PublishTokenHashes1765200000012 implements MigrationInterface {
  readonly name = 'PublishTokenHashes1765200000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.directories ADD COLUMN scim_token_hashes json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.directories DROP COLUMN scim_token_hashes');
  }
}
