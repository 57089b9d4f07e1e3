/** Reads of the event log, and what operators do to its events. Writing is the business of the changes. */
import { type Executor, type Statement } from '../database/database.js';
import { IS_SENDING } from '../directories/directory.repository.js';
import type { EventSource } from './event.view.js';
import type { EventRow, EventState } from './event.types.js';

export interface LoggedEvent extends EventRow {
  state: EventState;
}

/** One attempt to deliver an event. */
export interface LoggedAttempt {
  eventId: string;
  at: Date;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
}

/** What a directory's log of attempts keeps while `log_webhook_events` is true. */
export interface WebhookLogRow extends LoggedAttempt {
  id: string;
  directoryId: string;
  endpoint: string;
  payload: object;
  response: string | null;
}

export interface DirectoryCounts {
  pending: number;
  oldestPendingAgeSeconds: number | null;
  dead: number;
}

const COLUMNS = `e.id, e.sequence, e.type, e.data, e.previous, e.created_at AS "createdAt", e.state`;

/**
 * Events of a directory after a sequence number, oldest first. None is left out that a reader who
 * goes on from the last one could miss: those beyond the horizon come with a later call.
 */
export async function listEvents(
  executor: Executor,
  directoryId: string,
  after: string,
  limit: number,
): Promise<LoggedEvent[]> {
  const [row] = await executor.run<{ horizon: string }>(HORIZON, [directoryId]);
  return executor.run<LoggedEvent>(LIST, [directoryId, after, row?.horizon ?? '0', limit]);
}

/** An event and the directory it belongs to; none of a deleted directory. */
export async function findEvent(
  executor: Executor,
  id: string,
): Promise<(LoggedEvent & { source: EventSource }) | undefined> {
  const [row] = await executor.run<LoggedEvent & { source: EventSource }>(FIND, [id]);
  return row;
}

export function attemptsOf(
  executor: Executor,
  eventIds: readonly string[],
): Promise<LoggedAttempt[]> {
  return executor.run<LoggedAttempt>(ATTEMPTS, [eventIds]);
}

/** Puts a finished event back into its lane; one that waits stays there. False when its directory sends nothing. */
export async function resendEvent(executor: Executor, id: string): Promise<boolean> {
  return (await executor.run(RESEND, [id])).length > 0;
}

export async function countsOf(executor: Executor, directoryId: string): Promise<DirectoryCounts> {
  const [row] = await executor.run<DirectoryCounts>(COUNTS, [directoryId]);
  return row as DirectoryCounts;
}

/** Directories with undelivered events, of all or of one directory. */
export function undelivered(
  executor: Executor,
  directoryId: string | null,
): Promise<{ directoryId: string; events: number }[]> {
  return executor.run(UNDELIVERED, [directoryId]);
}

export function listWebhookLogs(
  executor: Executor,
  directoryId: string,
  offset: number,
  limit: number,
): Promise<WebhookLogRow[]> {
  return executor.run<WebhookLogRow>(LOGS, [directoryId, offset, limit]);
}

const HORIZON: Statement = {
  name: 'dsync_event_horizon',
  text: 'SELECT dsync.event_horizon($1) AS horizon',
};

const LIST: Statement = {
  name: 'dsync_list_events',
  text: `SELECT ${COLUMNS} FROM dsync.events e
    WHERE e.directory_id = $1 AND e.sequence > $2 AND e.sequence <= $3
    ORDER BY e.sequence LIMIT $4`,
};

const FIND: Statement = {
  name: 'dsync_find_event',
  text: `SELECT ${COLUMNS}, jsonb_build_object('id', d.id, 'tenant', d.tenant, 'product', d.product,
      'attributeMapping', d.attribute_mapping) AS source
    FROM dsync.events e JOIN dsync.directories d ON d.id = e.directory_id
    WHERE e.id = $1 AND d.deleted_at IS NULL`,
};

const ATTEMPTS: Statement = {
  name: 'dsync_attempts_of_events',
  text: `SELECT a.event_id AS "eventId", a.at, a.status_code AS "statusCode",
      a.duration_ms AS "durationMs", a.error
    FROM dsync.delivery_attempts a WHERE a.event_id = ANY ($1::uuid[]) ORDER BY a.id`,
};

const RESEND: Statement = {
  text: `WITH target AS (
      SELECT e.id FROM dsync.events e JOIN dsync.directories d ON d.id = e.directory_id
      WHERE e.id = $1 AND d.deleted_at IS NULL AND ${IS_SENDING}),
    again AS (
      UPDATE dsync.events e SET state = 'pending', attempts = 0, finished_at = NULL
      FROM target t WHERE e.id = t.id AND e.state <> 'pending')
    SELECT id FROM target`,
};

const COUNTS: Statement = {
  name: 'dsync_event_counts',
  text: `SELECT
      (SELECT count(*)::integer FROM dsync.events e
        WHERE e.directory_id = $1 AND e.state = 'pending') AS pending,
      (SELECT count(*)::integer FROM dsync.events e
        WHERE e.directory_id = $1 AND e.state = 'dead') AS dead,
      (SELECT round(extract(epoch FROM now() - e.created_at))::integer FROM dsync.events e
        WHERE e.directory_id = $1 AND e.state = 'pending'
        ORDER BY e.sequence LIMIT 1) AS "oldestPendingAgeSeconds"`,
};

const UNDELIVERED: Statement = {
  text: `SELECT e.directory_id AS "directoryId", count(*)::integer AS events FROM dsync.events e
    WHERE e.state = 'pending' AND ($1::uuid IS NULL OR e.directory_id = $1)
    GROUP BY e.directory_id`,
};

const LOGS: Statement = {
  text: `SELECT a.id, a.directory_id AS "directoryId", a.event_id AS "eventId", a.at,
      a.status_code AS "statusCode", a.duration_ms AS "durationMs", a.error, a.endpoint, a.payload,
      a.response
    FROM dsync.delivery_attempts a
    JOIN dsync.directories d ON d.id = a.directory_id AND d.deleted_at IS NULL
    WHERE a.directory_id = $1 AND a.payload IS NOT NULL
    ORDER BY a.id DESC OFFSET $2 LIMIT $3`,
};
