/**
 * Replaces the event log and the lanes by the tables of the delivery engine: events are partitioned
 * by day and have no state of their own; each endpoint has a cursor. The webhook of a directory becomes
 * an endpoint with the id of the directory. Events are kept, delivery attempts are not.
 * Processes of the previous version cannot use the new tables; stop them first.
 */
import { createDeliveryTables, dropDeliveryTables } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { CreateEventLog1763640000002 } from './1763640000002-create-event-log.migration.js';
import { LetWritersMeetNowhere1763640000003 } from './1763640000003-add-directory-revision.migration.js';

export class MoveEventsToDeliveryEngine1763700000002 implements MigrationInterface {
  readonly name = 'MoveEventsToDeliveryEngine1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    const statements = [...SET_ASIDE, ...createDeliveryTables('dsync'), ...MOVE, ...DROP_FORMER];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [...KEEP, ...dropDeliveryTables('dsync')]) {
      await runner.query(statement);
    }
    await new CreateEventLog1763640000002().up(runner);
    for (const statement of WITHOUT_REVISION) await runner.query(statement);
    await new LetWritersMeetNowhere1763640000003().up(runner);
    for (const statement of MOVE_BACK) await runner.query(statement);
  }
}

const SET_ASIDE = [
  'LOCK TABLE dsync.directories, dsync.events, dsync.lanes IN ACCESS EXCLUSIVE MODE',
  'ALTER TABLE dsync.events ALTER COLUMN sequence DROP DEFAULT, ALTER COLUMN id DROP DEFAULT',
  'ALTER TABLE dsync.events RENAME TO former_events',
  'ALTER TABLE dsync.former_events RENAME CONSTRAINT events_pkey TO former_events_pkey',
  'ALTER INDEX dsync.events_id RENAME TO former_events_id',
  'ALTER SEQUENCE dsync.event_sequence RENAME TO former_event_sequence',
  'DROP TABLE dsync.delivery_attempts',
  'DROP FUNCTION dsync.event_horizon, dsync.announcement_class, dsync.uuid_v7',
];

const MOVE = [
  `SELECT setval('dsync.event_sequence', last_value, is_called) FROM dsync.former_event_sequence`,
  `SELECT dsync.create_partitions((min(created_at) AT TIME ZONE 'UTC')::date,
    (max(created_at) AT TIME ZONE 'UTC')::date)
    FROM dsync.former_events HAVING count(*) > 0`,
  `INSERT INTO dsync.events (source_id, sequence, id, type, data, previous, created_at)
    SELECT directory_id, sequence, id, type, data, previous, created_at FROM dsync.former_events`,
  `INSERT INTO dsync.endpoints (id, source_id, url, secret_sealed, previous_secret_sealed,
      previous_secret_until, logs_attempts, enabled, state, reason, next_attempt_at, cursor, cursor_at)
    SELECT d.id, d.id, coalesce(d.webhook_endpoint, ''), d.webhook_secret_sealed,
      d.webhook_secret_previous_sealed, d.webhook_secret_previous_until, d.log_webhook_events,
      d.webhook_endpoint IS NOT NULL AND NOT d.deactivated,
      CASE WHEN d.webhook_stopped_at IS NULL THEN 'healthy' ELSE 'stopped' END,
      CASE WHEN d.webhook_stopped_at IS NOT NULL THEN 'the endpoint answered 410' END,
      coalesce(l.next_attempt_at, '-infinity'),
      coalesce(waiting.sequence - 1, newest.sequence, 0), coalesce(waiting.created_at, now())
    FROM dsync.directories d
    LEFT JOIN dsync.lanes l ON l.directory_id = d.id
    CROSS JOIN LATERAL (SELECT max(sequence) AS sequence FROM dsync.former_events
      WHERE directory_id = d.id) newest
    LEFT JOIN LATERAL (SELECT sequence, created_at FROM dsync.former_events
      WHERE directory_id = d.id AND state = 'pending' ORDER BY sequence LIMIT 1) waiting ON true`,
  `INSERT INTO dsync.parked_events (endpoint_id, sequence, event_id, reason, attempts, parked_at)
    SELECT directory_id, sequence, id, 'given up by an earlier version', attempts, finished_at
    FROM dsync.former_events WHERE state = 'dead'`,
  `INSERT INTO dsync.skipped_ranges (endpoint_id, after, until)
    SELECT directory_id, sequence - 1, sequence FROM dsync.former_events WHERE state = 'not_sent'`,
];

const DROP_FORMER = [
  'DROP TABLE dsync.former_events, dsync.lanes',
  'DROP SEQUENCE dsync.former_event_sequence',
  `ALTER TABLE dsync.directories DROP COLUMN webhook_endpoint, DROP COLUMN webhook_secret_sealed,
    DROP COLUMN webhook_secret_previous_sealed, DROP COLUMN webhook_secret_previous_until,
    DROP COLUMN webhook_stopped_at, DROP COLUMN log_webhook_events`,
];

const KEEP = [
  'LOCK TABLE dsync.directories, dsync.events, dsync.endpoints IN ACCESS EXCLUSIVE MODE',
  `ALTER TABLE dsync.directories ADD COLUMN webhook_endpoint text,
    ADD COLUMN webhook_secret_sealed text, ADD COLUMN webhook_secret_previous_sealed text,
    ADD COLUMN webhook_secret_previous_until timestamptz, ADD COLUMN webhook_stopped_at timestamptz,
    ADD COLUMN log_webhook_events boolean NOT NULL DEFAULT false`,
  `UPDATE dsync.directories d SET webhook_endpoint = nullif(p.url, ''),
      webhook_secret_sealed = p.secret_sealed,
      webhook_secret_previous_sealed = p.previous_secret_sealed,
      webhook_secret_previous_until = p.previous_secret_until,
      webhook_stopped_at = CASE WHEN p.state = 'stopped' THEN now() END,
      log_webhook_events = p.logs_attempts
    FROM dsync.endpoints p WHERE p.id = d.id`,
  `CREATE TABLE dsync.kept_events AS
    SELECT e.*, CASE WHEN p.enabled AND p.state <> 'stopped' AND e.sequence > p.cursor
      THEN 'pending' ELSE 'delivered' END AS state
    FROM dsync.events e LEFT JOIN dsync.endpoints p ON p.id = e.source_id`,
];

/** The revision stays; the migration that added it brings back its other changes. */
const WITHOUT_REVISION = ['ALTER TABLE dsync.directories RENAME COLUMN revision TO kept_revision'];

const MOVE_BACK = [
  'ALTER TABLE dsync.directories DROP COLUMN revision',
  'ALTER TABLE dsync.directories RENAME COLUMN kept_revision TO revision',
  `INSERT INTO dsync.events (directory_id, sequence, id, type, data, previous, created_at, state)
    SELECT source_id, sequence, id, type, data, previous, created_at, state
    FROM dsync.kept_events`,
  `SELECT setval('dsync.event_sequence', max(sequence)) FROM dsync.kept_events HAVING count(*) > 0`,
  'INSERT INTO dsync.lanes (directory_id) SELECT id FROM dsync.directories',
  'DROP TABLE dsync.kept_events',
];
