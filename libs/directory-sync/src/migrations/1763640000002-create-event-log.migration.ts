import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The event log (ADR 0020). A writer takes a shared advisory lock that announces the number below
 * which it will write no event of this directory, and then draws its numbers; the lock ends with its
 * transaction. The horizon of a reader is the newest number drawn or the lowest announcement still
 * held: no event at or below it can still appear. Writers do not wait for each other, and
 * transactions without events delay no delivery.
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
  // CACHE 1: sessions must get numbers in the order of their requests.
  `CREATE SEQUENCE dsync.event_sequence AS bigint CACHE 1`,

  // The random tail of the directory's id. Readers of two directories with the same tail wait for
  // the writers of both.
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

  // Read the newest number before the announcements, because its writer has announced itself by
  // then. A lock holds the low 32 bits of an announcement; the newest number restores the rest.
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

  // UUID version 7 (RFC 9562), for statements that insert any number of rows.
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
  // data and previous are json, not jsonb: no statement reads their members, and order is preserved.
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

  // Current lease holder and earliest next attempt, one row per directory.
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
