import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The schema of the console as of its first release. */
export class CreateConsole1796400000003 implements MigrationInterface {
  readonly name = 'CreateConsole1796400000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SESSIONS);
    await runner.query('CREATE INDEX sessions_expire_time ON console.sessions (expire_time)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE console.sessions');
  }
}

/** `credential` and `id_token` are sealed; only the hash of a cookie is stored. */
const SESSIONS = `CREATE TABLE console.sessions (
  session_id uuid PRIMARY KEY,
  cookie_sha256 bytea NOT NULL UNIQUE,
  csrf_key bytea NOT NULL,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('viewer', 'support', 'operator', 'administrator')),
  scopes text[] NOT NULL,
  key_id text,
  credential text NOT NULL,
  id_token text,
  create_time timestamptz(3) NOT NULL DEFAULT now(),
  seen_time timestamptz(3) NOT NULL DEFAULT now(),
  expire_time timestamptz(3) NOT NULL
)`;
