import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Keys, signing keys and audit events. */
export class Keys1763600000001 implements MigrationInterface {
  readonly name = 'Keys1763600000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE SCHEMA IF NOT EXISTS keys`);
    await runner.query(`
      CREATE TABLE keys.api_keys (
        key_id text COLLATE "C" PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('issued', 'imported')),
        name text NOT NULL,
        actor_id text NOT NULL,
        scopes text[] NOT NULL,
        metadata jsonb NOT NULL,
        visibility smallint NOT NULL,
        rate_quota bigint CHECK (rate_quota > 0),
        rate_unit text,
        rate_window_seconds bigint CHECK (rate_window_seconds > 0),
        allowed_cidrs text[] NOT NULL,
        secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
        hash_key_id text,
        key_preview text NOT NULL,
        request_id text UNIQUE,
        create_time timestamptz NOT NULL,
        update_time timestamptz NOT NULL,
        expire_time timestamptz,
        last_used_time timestamptz,
        revoke_time timestamptz,
        revocation_reason smallint NOT NULL DEFAULT 0,
        revocation_description text NOT NULL DEFAULT '',
        replaced_by text,
        CHECK ((rate_quota IS NULL) = (rate_window_seconds IS NULL)),
        CHECK ((kind = 'imported') = (hash_key_id IS NOT NULL))
      )`);
    await runner.query(`
      CREATE INDEX api_keys_newest ON keys.api_keys (kind, create_time DESC, key_id DESC)`);
    await runner.query(`
      CREATE INDEX api_keys_actor ON keys.api_keys (kind, actor_id, create_time DESC, key_id DESC)`);
    await runner.query(`
      CREATE INDEX api_keys_revoked ON keys.api_keys (kind, create_time DESC, key_id DESC)
      WHERE revoke_time IS NOT NULL`);
    await runner.query(`
      CREATE INDEX api_keys_expiry ON keys.api_keys (kind, expire_time)
      WHERE revoke_time IS NULL`);

    await runner.query(`
      CREATE TABLE keys.signing_keys (
        kid text COLLATE "C" PRIMARY KEY,
        algorithm text NOT NULL CHECK (algorithm IN ('EdDSA', 'ES256', 'RS256')),
        public_jwk jsonb NOT NULL,
        sealed_private_jwk text NOT NULL,
        create_time timestamptz NOT NULL,
        sign_from timestamptz NOT NULL,
        verify_until timestamptz
      )`);

    await runner.query(`
      CREATE TABLE keys.audit_events (
        event_id uuid PRIMARY KEY,
        type text NOT NULL,
        key_id text NOT NULL,
        old_key_id text NOT NULL DEFAULT '',
        actor_id text NOT NULL,
        caller text NOT NULL,
        ip text NOT NULL DEFAULT '',
        request_id text NOT NULL,
        create_time timestamptz NOT NULL,
        details jsonb NOT NULL
      )`);
    // Event ids are UUIDs of version 7: their order is the order of time.
    await runner.query(
      `CREATE INDEX audit_events_key ON keys.audit_events (key_id, event_id DESC)`,
    );
    await runner.query(
      `CREATE INDEX audit_events_actor ON keys.audit_events (actor_id, event_id DESC)`,
    );
    await runner.query(`CREATE INDEX audit_events_type ON keys.audit_events (type, event_id DESC)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE keys.audit_events');
    await runner.query('DROP TABLE keys.signing_keys');
    await runner.query('DROP TABLE keys.api_keys');
  }
}
