import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The title of a schema, by which schemas are found. It is null if the document has none, or contains an
 * escape that PostgreSQL cannot read, such as U+0000.
 */
export class TitleSchemas1796500000001 implements MigrationInterface {
  readonly name = 'TitleSchemas1796500000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION forms.schema_title(document text) RETURNS text
      LANGUAGE plpgsql IMMUTABLE STRICT AS $$
      BEGIN
        RETURN left(document::json ->> 'title', 255);
      EXCEPTION WHEN untranslatable_character OR invalid_text_representation THEN
        RETURN NULL;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION forms.schema_title');
  }
}
