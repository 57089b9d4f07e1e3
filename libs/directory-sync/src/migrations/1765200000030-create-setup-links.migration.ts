import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Set-up links: an address that opens once, for the administrator of an identity provider, and the
 * session that it becomes. Only hashes of both secrets are stored. The old version ignores the table.
 */
export class CreateSetupLinks1765200000030 implements MigrationInterface {
  readonly name = 'CreateSetupLinks1765200000030';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dsync.setup_links');
  }
}

const STATEMENTS = [
  `CREATE TABLE dsync.setup_links (
    id uuid PRIMARY KEY,
    directory_id uuid NOT NULL REFERENCES dsync.directories ON DELETE CASCADE,
    secret_sha256 bytea NOT NULL UNIQUE,
    allow text[] NOT NULL,
    return_url text,
    locale text,
    provider text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    revoked_at timestamptz(3),
    session_sha256 bytea UNIQUE,
    session_seconds integer NOT NULL,
    csrf_key bytea NOT NULL,
    opened_at timestamptz(3),
    session_expires_at timestamptz(3),
    session_ended_at timestamptz(3),
    token_created_at timestamptz(3),
    connected_at timestamptz(3),
    completed_at timestamptz(3)
  )`,
  'CREATE INDEX setup_links_of_directory ON dsync.setup_links (directory_id, id)',
  // Those that wait for the first request of the provider.
  `CREATE INDEX setup_links_waiting ON dsync.setup_links (opened_at)
    WHERE opened_at IS NOT NULL AND connected_at IS NULL`,
  'CREATE INDEX setup_links_by_expiry ON dsync.setup_links (expires_at)',
];
