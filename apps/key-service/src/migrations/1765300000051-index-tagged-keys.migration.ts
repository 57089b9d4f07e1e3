import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the keys of a tag. Keys without tags are not in the index. */
export class IndexTaggedKeys1765300000051 implements MigrationInterface {
  readonly name = 'IndexTaggedKeys1765300000051';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_tags
      ON keys.api_keys USING gin (tags) WHERE tags <> '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS keys.api_keys_tags');
  }
}
