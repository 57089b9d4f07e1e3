import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The event log (ADR 0020). A writer announces, as a shared advisory lock, the number below which
 * it will write no event of this directory; then it draws its numbers; the lock ends with its
 * transaction. A reader's horizon is the newest number drawn, or the lowest announcement that is
 * still held: nothing at or below it can still appear. Writers never wait for each other, and
 * transactions that write no events hold nobody up.
 */
export class CreateEventLog1763640000002 implements MigrationInterface {
  readonly name = 'CreateEventLog1763640000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...FUNCTIONS, ...TABLES]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dsync.delivery_attempts, dsync.events, dsync.lanes');
    await runner.query(
      'DROP FUNCTION dsync.announce_events, dsync.event_horizon, dsync.announcement_class, dsync.uuid_v7',
    );
    await runner.query('DROP SEQUENCE dsync.event_sequence');
  }
}

const FUNCTIONS = [
  // CACHE 1: numbers must be drawn in the order in which sessions ask for them.
  `CREATE SEQUENCE dsync.event_sequence AS bigint CACHE 1`,

  // The random tail of the directory's id. Two directories that share it only wait for each other.
  `CREATE FUNCTION dsync.announcement_class(directory uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ('x' || right(directory::text, 8))::bit(32)::integer`,

  `CREATE FUNCTION dsync.announce_events(directory uuid) RETURNS void
    LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      drawn bigint;
    BEGIN
      SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END
        INTO drawn FROM dsync.event_sequence;
      PERFORM pg_advisory_xact_lock_shared(
        dsync.announcement_class(directory), drawn::bit(32)::integer);
    END $$`,

  // The newest number is read before the announcements: who drew it has announced by then. A lock
  // holds the low 32 bits of an announcement; the distance to the newest number restores the rest.
  `CREATE FUNCTION dsync.event_horizon(directory uuid) RETURNS bigint
    LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      newest bigint;
      distance bigint;
    BEGIN
      SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END
        INTO newest FROM dsync.event_sequence;
      SELECT max(behind) INTO distance FROM (
        SELECT (newest - objid::bigint) & 4294967295 AS behind
        FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 2 AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND classid = dsync.announcement_class(directory)::oid
      ) announced
      WHERE behind < 2147483648;
      RETURN newest - coalesce(distance, 0);
    END $$`,

  // RFC 9562 version 7, for rows that one statement makes in any number.
  `CREATE FUNCTION dsync.uuid_v7() RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL SAFE
    RETURN encode(
      set_bit(set_bit(
        overlay(uuid_send(gen_random_uuid()) PLACING
          substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
          FROM 1 FOR 6),
        52, 1), 53, 1), 'hex')::uuid`,
];

const TABLES = [
  // data and previous are json, not jsonb: nothing looks into them, and their order is kept.
  `CREATE TABLE dsync.events (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    sequence bigint NOT NULL DEFAULT nextval('dsync.event_sequence'),
    id uuid NOT NULL DEFAULT dsync.uuid_v7(),
    type text NOT NULL,
    data json NOT NULL,
    previous json,
    state text NOT NULL CHECK (state IN ('pending', 'delivered', 'dead', 'not_sent')),
    attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    finished_at timestamptz(3),
    PRIMARY KEY (directory_id, sequence)
  )`,
  `CREATE UNIQUE INDEX events_id ON dsync.events (id)`,
  `CREATE INDEX events_pending ON dsync.events (directory_id, sequence) WHERE state = 'pending'`,
  `CREATE INDEX events_dead ON dsync.events (directory_id, sequence) WHERE state = 'dead'`,

  // One per directory: who delivers at the moment, and not before when.
  `CREATE TABLE dsync.lanes (
    directory_id uuid PRIMARY KEY REFERENCES dsync.directories (id),
    leased_by uuid,
    leased_until timestamptz,
    next_attempt_at timestamptz
  )`,

  `CREATE TABLE dsync.delivery_attempts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    event_id uuid NOT NULL,
    at timestamptz(3) NOT NULL DEFAULT now(),
    status_code integer,
    duration_ms integer NOT NULL,
    error text,
    endpoint text,
    payload json,
    response text
  )`,
  `CREATE INDEX delivery_attempts_event ON dsync.delivery_attempts (event_id, id)`,
  `CREATE INDEX delivery_attempts_directory ON dsync.delivery_attempts (directory_id, id)`,
];
