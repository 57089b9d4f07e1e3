import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Trust rules are keys of a kind of their own (ADR 0053). used_tokens: tokens of other issuers that were
 * exchanged by rules that accept a token once, until they expire.
 */
export class AddTrustRules1796400000001 implements MigrationInterface {
  readonly name = 'AddTrustRules1796400000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // All rows have satisfied the constraints before.
  `ALTER TABLE keys.api_keys
    ADD COLUMN trust jsonb,
    DROP CONSTRAINT api_keys_kind_check,
    ADD CONSTRAINT api_keys_kind_check CHECK (kind IN ('issued', 'imported', 'trust')) NOT VALID,
    ADD CONSTRAINT api_keys_trust_check CHECK ((kind = 'trust') = (trust IS NOT NULL)) NOT VALID`,
  `CREATE TABLE keys.used_tokens (
    key_id text COLLATE "C" NOT NULL,
    token_hash bytea NOT NULL CHECK (length(token_hash) = 32),
    expire_time timestamptz NOT NULL,
    PRIMARY KEY (key_id, token_hash)
  )`,
  'CREATE INDEX used_tokens_expired ON keys.used_tokens (expire_time)',
];

const DOWN = [
  'DROP TABLE keys.used_tokens',
  "DELETE FROM keys.api_keys WHERE kind = 'trust'",
  `ALTER TABLE keys.api_keys
    DROP CONSTRAINT api_keys_trust_check,
    DROP CONSTRAINT api_keys_kind_check,
    ADD CONSTRAINT api_keys_kind_check CHECK (kind IN ('issued', 'imported')) NOT VALID,
    DROP COLUMN trust`,
];
