import { PARTITIONS_AHEAD_DAYS } from '@gatehouse/kit/sql';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The log of SCIM requests, in daily partitions; counts of requests by hour; and what is known about
 * the client of a directory. `capture_until`: bodies of requests are kept until then. The old version
 * ignores all of it.
 */
export class LogScimRequests1765200000001 implements MigrationInterface {
  readonly name = 'LogScimRequests1765200000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE dsync.scim_requests, dsync.scim_request_hours, dsync.scim_clients',
    );
    await runner.query('DROP FUNCTION dsync.create_request_partitions');
    await runner.query('ALTER TABLE dsync.directories DROP COLUMN capture_until');
  }
}

const STATEMENTS = [
  'ALTER TABLE dsync.directories ADD COLUMN capture_until timestamptz(3)',

  `CREATE TABLE dsync.scim_requests (
    id uuid NOT NULL,
    directory_id uuid NOT NULL,
    at timestamptz(3) NOT NULL,
    request_id text NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    filter text,
    status smallint NOT NULL,
    scim_type text,
    detail text,
    duration_ms real NOT NULL,
    user_agent text,
    attributes text[] NOT NULL,
    resource_id text,
    bodies_sealed text,
    PRIMARY KEY (id, at)
  ) PARTITION BY RANGE (at)`,
  // Status and method are compared within the index, so that a filter reads no other rows.
  `CREATE INDEX scim_requests_directory
    ON dsync.scim_requests (directory_id, id, status, method)`,
  `CREATE INDEX scim_requests_resource ON dsync.scim_requests (directory_id, resource_id, id)
    WHERE resource_id IS NOT NULL`,

  `CREATE TABLE dsync.scim_request_hours (
    directory_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    requests integer NOT NULL,
    errors integer NOT NULL,
    unauthorized integer NOT NULL,
    stored integer NOT NULL,
    captured integer NOT NULL,
    PRIMARY KEY (directory_id, hour)
  ) WITH (fillfactor = 70)`,

  `CREATE TABLE dsync.scim_clients (
    directory_id uuid PRIMARY KEY,
    provider text,
    user_agent text,
    last_at timestamptz(3),
    usual_gap_seconds real,
    unauthorized_at timestamptz(3)
  ) WITH (fillfactor = 70)`,

  // One partition for each day (UTC). ATTACH takes a lock that neither readers nor writers notice.
  `CREATE FUNCTION dsync.create_request_partitions(first date, last date) RETURNS integer
    LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      day date;
      part text;
      created integer := 0;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('dsync.create_request_partitions', 0));
      day := first;
      WHILE day <= last LOOP
        part := 'scim_requests' || to_char(day, '_YYYYMMDD');
        IF to_regclass('dsync.' || part) IS NULL THEN
          EXECUTE format('CREATE TABLE dsync.%I (LIKE dsync.scim_requests INCLUDING ALL)', part);
          EXECUTE format('ALTER TABLE dsync.scim_requests ATTACH PARTITION dsync.%I
            FOR VALUES FROM (%L) TO (%L)', part, day || ' 00:00Z', (day + 1) || ' 00:00Z');
          created := created + 1;
        END IF;
        day := day + 1;
      END LOOP;
      RETURN created;
    END $$`,
  `SELECT dsync.create_request_partitions((now() AT TIME ZONE 'UTC')::date - 1,
    (now() AT TIME ZONE 'UTC')::date + ${PARTITIONS_AHEAD_DAYS})`,
];
