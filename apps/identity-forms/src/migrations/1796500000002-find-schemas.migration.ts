import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Schemas are found by the first characters of their ids and titles, in any case. */
export class FindSchemas1796500000002 implements MigrationInterface {
  readonly name = 'FindSchemas1796500000002';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS schemas_folded_id
      ON forms.schemas (lower(id COLLATE "C"))`);
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS schema_versions_title
      ON forms.schema_versions
        ((lower(forms.schema_title(document) COLLATE "und-x-icu") COLLATE "C"))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS forms.schema_versions_title');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS forms.schemas_folded_id');
  }
}
