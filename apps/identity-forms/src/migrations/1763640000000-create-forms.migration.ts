import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateForms1763640000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE SCHEMA IF NOT EXISTS forms');

    await queryRunner.query(`
      CREATE TABLE forms.schemas (
        id text PRIMARY KEY,
        is_public boolean NOT NULL DEFAULT false,
        current_version integer NOT NULL CHECK (current_version > 0),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
    // text, because jsonb would lose the order of the members, which is the order of the form.
    await queryRunner.query(`
      CREATE TABLE forms.schema_versions (
        schema_id text NOT NULL REFERENCES forms.schemas (id),
        version integer NOT NULL CHECK (version > 0),
        digest bytea NOT NULL,
        document text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (schema_id, version),
        UNIQUE (schema_id, digest)
      )`);

    await queryRunner.query(`
      CREATE TABLE forms.identities (
        id uuid PRIMARY KEY,
        schema_id text NOT NULL,
        schema_version integer NOT NULL,
        traits jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        FOREIGN KEY (schema_id, schema_version)
          REFERENCES forms.schema_versions (schema_id, version)
      )`);
    await queryRunner.query(
      'CREATE INDEX identities_by_schema ON forms.identities (schema_id, id)',
    );
    // The primary key makes identifiers unique, even between concurrent writers.
    await queryRunner.query(`
      CREATE TABLE forms.identifiers (
        schema_id text NOT NULL,
        digest bytea NOT NULL,
        identity_id uuid NOT NULL REFERENCES forms.identities (id) ON DELETE CASCADE,
        PRIMARY KEY (schema_id, digest)
      )`);
    await queryRunner.query(
      'CREATE INDEX identifiers_by_identity ON forms.identifiers (identity_id)',
    );

    await queryRunner.query(`
      CREATE TABLE forms.flows (
        id_digest bytea PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('sign-up', 'profile')),
        schema_id text NOT NULL,
        schema_version integer NOT NULL,
        identity_id uuid REFERENCES forms.identities (id) ON DELETE CASCADE,
        return_to text,
        csrf_key bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        used_at timestamptz,
        CHECK ((kind = 'profile') = (identity_id IS NOT NULL)),
        FOREIGN KEY (schema_id, schema_version)
          REFERENCES forms.schema_versions (schema_id, version)
      )`);
    await queryRunner.query('CREATE INDEX flows_by_expiry ON forms.flows (expires_at)');
    await queryRunner.query('CREATE INDEX flows_by_identity ON forms.flows (identity_id)');

    await queryRunner.query(`
      CREATE TABLE forms.events (
        id uuid PRIMARY KEY,
        type text NOT NULL,
        identity_id uuid NOT NULL,
        payload jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    // Authenticates page tokens. The first replica that needs the key creates it.
    await queryRunner.query(`
      CREATE TABLE forms.page_token_keys (
        id integer PRIMARY KEY CHECK (id = 1),
        key bytea NOT NULL
      )`);
    await queryRunner.query('CREATE INDEX events_by_time ON forms.events (created_at)');
    await queryRunner.query('CREATE INDEX events_by_identity ON forms.events (identity_id, id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'page_token_keys',
      'events',
      'flows',
      'identifiers',
      'identities',
      'schema_versions',
      'schemas',
    ]) {
      await queryRunner.query(`DROP TABLE forms.${table}`);
    }
  }
}
