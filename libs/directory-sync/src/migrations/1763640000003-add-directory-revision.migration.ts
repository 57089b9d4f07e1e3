/**
 * Adds the revision that validates cached directories (ADR 0023), and removes a foreign key and a
 * check of events, which made writers wait for each other or cost time (ADR 0020).
 * Processes of the previous version cannot write to the new tables; stop them first.
 */
import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class LetWritersMeetNowhere1763640000003 implements MigrationInterface {
  readonly name = 'LetWritersMeetNowhere1763640000003';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

// Waits for all writers: the class of an announcement must not change while it is held.
const LOCK = 'LOCK TABLE dsync.directories, dsync.events IN ACCESS EXCLUSIVE MODE';

const UP = [
  LOCK,
  'ALTER TABLE dsync.directories ADD COLUMN revision integer NOT NULL DEFAULT 1',

  // A foreign key would lock the row of the directory in every write, so writers would contend for
  // it. Statements that write events read the directory, whose row outlives its last writer.
  'ALTER TABLE dsync.events DROP CONSTRAINT events_directory_id_fkey',

  // PostgreSQL parses a check again for each row. The statements use only the valid states: pending,
  // delivered, dead, not_sent.
  'ALTER TABLE dsync.events DROP CONSTRAINT events_state_check',

  // Writers now announce themselves in the statement that writes.
  'DROP FUNCTION dsync.announce_events',

  // Readers of two directories with the same class wait for the writers of both.
  `CREATE OR REPLACE FUNCTION dsync.announcement_class(directory uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuid_hash(directory)`,
];

const DOWN = [
  LOCK,
  `CREATE OR REPLACE FUNCTION dsync.announcement_class(directory uuid) RETURNS integer
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
  `ALTER TABLE dsync.events ADD CONSTRAINT events_state_check
    CHECK (state IN ('pending', 'delivered', 'dead', 'not_sent'))`,
  // Events of a purged directory would violate the foreign key.
  `DELETE FROM dsync.events WHERE directory_id NOT IN (SELECT id FROM dsync.directories)`,
  `ALTER TABLE dsync.events ADD CONSTRAINT events_directory_id_fkey
    FOREIGN KEY (directory_id) REFERENCES dsync.directories (id)`,
  'ALTER TABLE dsync.directories DROP COLUMN revision',
];
