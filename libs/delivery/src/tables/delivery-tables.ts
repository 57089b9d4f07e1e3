/**
 * The tables of one delivery system, in the schema of the service that owns it. The first migration of
 * each service calls these functions, so their statements never change; later changes are migrations.
 *
 * Every row names its source, and every key contains it: appended, so that look-ups by id keep their
 * index, but for the log, which is read by source (ADR 0046).
 */
import { PARTITIONS_AHEAD_DAYS } from '@gatehouse/kit/sql';
import { createOrderedReads } from './ordered-reads.js';

/**
 * The trace in which an event was logged. The writer of an event does not name the column: `Sql` of the
 * kit sets the setting for each transaction that is traced (ADR 0008). Other values are not kept.
 */
const TRACEPARENT = `substring(current_setting('gatehouse.traceparent', true)
  FROM '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$')`;

/** @returns the statements that create the tables, in order */
export function createDeliveryTables(schema: string): string[] {
  return [
    ...functions(schema),
    ...log(schema),
    ...endpoints(schema),
    ...createOrderedReads(schema),
  ];
}

/** @returns the statements that drop all that `createDeliveryTables` creates */
export function dropDeliveryTables(schema: string): string[] {
  const tables = ['replays', 'skipped_ranges', 'parked_events', 'endpoints', 'dispatch'];
  const all = [...tables, 'delivery_attempts', 'events'].map((table) => `${schema}.${table}`);
  return [
    `DROP FUNCTION ${schema}.events_in_order, ${schema}.lanes_behind`,
    `DROP TABLE ${all.join(', ')}`,
    `DROP FUNCTION ${schema}.create_partitions, ${schema}.event_horizon,
      ${schema}.announcement_class, ${schema}.uuid_v7, ${schema}.cell`,
    `DROP SEQUENCE ${schema}.event_sequence, ${schema}.attempt_sequence`,
  ];
}

const functions = (schema: string) => [
  // CACHE 1: sessions must get numbers in the order of their requests.
  `CREATE SEQUENCE ${schema}.event_sequence AS bigint CACHE 1`,
  `CREATE SEQUENCE ${schema}.attempt_sequence AS bigint`,

  // Readers of two sources with the same class wait for the writers of both.
  `CREATE FUNCTION ${schema}.announcement_class(source uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuid_hash(source)`,

  // Reads the newest number before the announcements, because its writer has announced itself by
  // then. A lock holds the low 32 bits of an announcement; the newest number restores the rest.
  // Without a source, every two-part advisory lock of the database counts as an announcement: an
  // unrelated one can only make readers wait until it ends.
  `CREATE FUNCTION ${schema}.event_horizon(source uuid) RETURNS bigint
    LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      newest bigint;
      distance bigint;
    BEGIN
      SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END
        INTO newest FROM ${schema}.event_sequence;
      SELECT max(behind) INTO distance FROM (
        SELECT (newest - objid::bigint) & 4294967295 AS behind
        FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 2 AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND (source IS NULL OR classid = ${schema}.announcement_class(source)::oid)
      ) announced
      WHERE behind < 2147483648;
      RETURN newest - coalesce(distance, 0);
    END $$`,

  // The cell of the ids that this database makes: CELL, as `migrate` has set it in its session.
  `DO $$ BEGIN
    EXECUTE format('CREATE FUNCTION ${schema}.cell() RETURNS integer
      LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN %s',
      coalesce(nullif(current_setting('gatehouse.cell', true), ''), '0')::integer);
  END $$`,

  // UUID version 7 (RFC 9562) with the cell as its tenth byte, as `uuidv7` of the kit, for statements
  // that insert any number of rows.
  `CREATE FUNCTION ${schema}.uuid_v7() RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL SAFE
    RETURN encode(
      set_byte(set_bit(set_bit(
        overlay(uuid_send(gen_random_uuid()) PLACING
          substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
          FROM 1 FOR 6),
        52, 1), 53, 1), 9, ${schema}.cell()), 'hex')::uuid`,

  // One partition for each day (UTC). ATTACH takes a lock that neither readers nor writers notice.
  `CREATE FUNCTION ${schema}.create_partitions(first date, last date) RETURNS integer
    LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      parent text;
      day date;
      part text;
      created integer := 0;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('${schema}.create_partitions', 0));
      FOREACH parent IN ARRAY ARRAY['events', 'delivery_attempts'] LOOP
        day := first;
        WHILE day <= last LOOP
          part := parent || to_char(day, '_YYYYMMDD');
          IF to_regclass('${schema}.' || part) IS NULL THEN
            EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.%I INCLUDING ALL)', part, parent);
            EXECUTE format('ALTER TABLE ${schema}.%I ATTACH PARTITION ${schema}.%I
              FOR VALUES FROM (%L) TO (%L)', parent, part, day || ' 00:00Z', (day + 1) || ' 00:00Z');
            created := created + 1;
          END IF;
          day := day + 1;
        END LOOP;
      END LOOP;
      RETURN created;
    END $$`,
];

const log = (schema: string) => [
  // data and previous are json, not jsonb: no statement reads their members, and order is preserved.
  `CREATE TABLE ${schema}.events (
    source_id uuid NOT NULL,
    sequence bigint NOT NULL DEFAULT nextval('${schema}.event_sequence'),
    id uuid NOT NULL DEFAULT ${schema}.uuid_v7(),
    type text NOT NULL,
    data json NOT NULL,
    previous json,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    traceparent text DEFAULT ${TRACEPARENT},
    PRIMARY KEY (source_id, sequence, created_at)
  ) PARTITION BY RANGE (created_at)`,
  // For readers of several sources: a position in the log of this database.
  `CREATE INDEX events_sequence ON ${schema}.events (sequence)`,
  `CREATE INDEX events_id ON ${schema}.events (id)`,

  `CREATE TABLE ${schema}.delivery_attempts (
    id bigint NOT NULL DEFAULT nextval('${schema}.attempt_sequence'),
    endpoint_id uuid NOT NULL,
    source_id uuid NOT NULL,
    event_id uuid NOT NULL,
    at timestamptz(3) NOT NULL,
    status_code integer,
    duration_ms integer NOT NULL,
    error text,
    url text NOT NULL,
    payload json,
    response text,
    PRIMARY KEY (id, at, source_id)
  ) PARTITION BY RANGE (at)`,
  `CREATE INDEX delivery_attempts_event ON ${schema}.delivery_attempts (event_id, id)`,
  `CREATE INDEX delivery_attempts_endpoint
    ON ${schema}.delivery_attempts (source_id, endpoint_id, id)`,
  `CREATE INDEX delivery_attempts_logged
    ON ${schema}.delivery_attempts (source_id, endpoint_id, id) WHERE payload IS NOT NULL`,

  `SELECT ${schema}.create_partitions((now() AT TIME ZONE 'UTC')::date - 1,
    (now() AT TIME ZONE 'UTC')::date + ${PARTITIONS_AHEAD_DAYS})`,
];

const ofEndpoint = (schema: string) =>
  `FOREIGN KEY (endpoint_id, source_id)
      REFERENCES ${schema}.endpoints (id, source_id) ON DELETE CASCADE`;

const endpoints = (schema: string) => [
  // The cursor is the last event that needs no delivery any more. wanted is the newest event that a
  // sweep has seen: an endpoint with a lower cursor is due.
  `CREATE TABLE ${schema}.endpoints (
    id uuid NOT NULL DEFAULT ${schema}.uuid_v7(),
    source_id uuid NOT NULL,
    url text NOT NULL,
    types text[],
    secret_sealed text,
    previous_secret_sealed text,
    previous_secret_until timestamptz(3),
    headers_sealed text,
    logs_attempts boolean NOT NULL DEFAULT false,
    on_poison text NOT NULL DEFAULT 'park' CHECK (on_poison IN ('park', 'block')),
    enabled boolean NOT NULL DEFAULT true,
    revision integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    state text NOT NULL DEFAULT 'healthy' CHECK (state IN ('healthy', 'failing', 'paused', 'stopped')),
    reason text,
    failures integer NOT NULL DEFAULT 0,
    failing_since timestamptz(3),
    last_success_at timestamptz(3),
    next_attempt_at timestamptz(3) NOT NULL DEFAULT '-infinity',
    refusals integer NOT NULL DEFAULT 0,
    cursor bigint NOT NULL,
    cursor_at timestamptz(3) NOT NULL DEFAULT now(),
    wanted bigint NOT NULL DEFAULT 0,
    open_replays integer NOT NULL DEFAULT 0,
    leased_by uuid,
    leased_until timestamptz(3),
    PRIMARY KEY (id, source_id)
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX endpoints_source ON ${schema}.endpoints (source_id, created_at, id)`,
  `CREATE INDEX endpoints_due ON ${schema}.endpoints (next_attempt_at)
    WHERE wanted > cursor OR open_replays > 0`,

  `CREATE INDEX endpoints_paused ON ${schema}.endpoints (id) WHERE state = 'paused'`,

  `CREATE TABLE ${schema}.parked_events (
    source_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    sequence bigint NOT NULL,
    event_id uuid NOT NULL,
    reason text NOT NULL,
    attempts integer NOT NULL,
    parked_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (endpoint_id, sequence, source_id),
    ${ofEndpoint(schema)}
  )`,

  // Events that were logged while an endpoint was off: they are not delivered, unless replayed.
  `CREATE TABLE ${schema}.skipped_ranges (
    source_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    after bigint NOT NULL,
    until bigint NOT NULL,
    PRIMARY KEY (endpoint_id, after, source_id),
    ${ofEndpoint(schema)}
  )`,

  `CREATE TABLE ${schema}.replays (
    id uuid NOT NULL DEFAULT ${schema}.uuid_v7(),
    source_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    after bigint NOT NULL,
    cursor bigint NOT NULL,
    cursor_at timestamptz(3) NOT NULL,
    until bigint NOT NULL,
    types text[],
    refusals integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (id, source_id),
    UNIQUE NULLS NOT DISTINCT (endpoint_id, after, until, types, source_id),
    ${ofEndpoint(schema)}
  )`,
  `CREATE INDEX replays_endpoint ON ${schema}.replays (source_id, endpoint_id, created_at)`,

  // How far the sweep has read the log of this database.
  `CREATE TABLE ${schema}.dispatch (position bigint NOT NULL)`,
  `INSERT INTO ${schema}.dispatch VALUES (0)`,
];
