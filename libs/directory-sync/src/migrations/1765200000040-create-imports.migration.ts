import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What an import has written, until it is completed: a later one compares with it to find out what has
 * changed at the source and what has changed here.
 */
export class CreateImports1765200000040 implements MigrationInterface {
  readonly name = 'CreateImports1765200000040';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dsync.imported_resources, dsync.imports');
  }
}

const STATEMENTS = [
  `CREATE TABLE dsync.imports (
    directory_id uuid PRIMARY KEY REFERENCES dsync.directories (id),
    hash bytea NOT NULL,
    revision integer NOT NULL,
    imported_at timestamptz NOT NULL DEFAULT now(),
    activated_at timestamptz
  )`,

  `CREATE TABLE dsync.imported_resources (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    kind text NOT NULL CHECK (kind IN ('user', 'group')),
    id uuid NOT NULL,
    hash bytea NOT NULL,
    version integer NOT NULL,
    members uuid[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (directory_id, kind, id)
  )`,
];
