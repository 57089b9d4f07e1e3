import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Tokens beside the SCIM secret of a directory. `previous_sha256` is the secret before the last rotation,
 * which is valid until `previous_until`. Thresholds that are reached from `next_notice_at` on are announced.
 * The old version refuses tokens until it is replaced, and ignores when a secret was used.
 */
export class CreateScimTokens1765200000010 implements MigrationInterface {
  readonly name = 'CreateScimTokens1765200000010';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dsync.scim_tokens');
    await runner.query('ALTER TABLE dsync.directories DROP COLUMN scim_secret_used_at');
  }
}

const STATEMENTS = [
  'ALTER TABLE dsync.directories ADD COLUMN scim_secret_used_at timestamptz(3)',

  `CREATE TABLE dsync.scim_tokens (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    id uuid NOT NULL,
    name text NOT NULL,
    preview text NOT NULL,
    sha256 bytea NOT NULL,
    created_at timestamptz(3) NOT NULL,
    rotated_at timestamptz(3),
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    previous_sha256 bytea,
    previous_until timestamptz(3),
    previous_used_at timestamptz(3),
    next_notice_at timestamptz(3),
    PRIMARY KEY (directory_id, id)
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX scim_tokens_next_notice ON dsync.scim_tokens (next_notice_at)
    WHERE next_notice_at IS NOT NULL`,
];
