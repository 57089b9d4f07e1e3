import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Portal sessions: an address that opens once, with which the user of an application manages the keys
 * of one actor. Only hashes of the address and of the cookie are stored.
 */
export class CreatePortalSessions1765300000080 implements MigrationInterface {
  readonly name = 'CreatePortalSessions1765300000080';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE keys.portal_sessions (
        session_id uuid PRIMARY KEY,
        actor_id text COLLATE "C" NOT NULL,
        allow text[] NOT NULL,
        scopes text[] NOT NULL,
        tags text[] NOT NULL,
        prefix text,
        max_keys integer NOT NULL,
        key_ttl bigint,
        return_url text,
        language text,
        secret_sha256 bytea NOT NULL UNIQUE,
        cookie_sha256 bytea UNIQUE,
        csrf_key bytea NOT NULL,
        create_time timestamptz(3) NOT NULL DEFAULT now(),
        expire_time timestamptz(3) NOT NULL,
        open_time timestamptz(3),
        revoke_time timestamptz(3)
      )`);
    await runner.query(
      'CREATE INDEX portal_sessions_of_actor ON keys.portal_sessions (actor_id, session_id)',
    );
    await runner.query(
      'CREATE INDEX portal_sessions_by_expiry ON keys.portal_sessions (expire_time)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE keys.portal_sessions');
  }
}
