/** Reads the event log and resends events. The statements of users and groups write them. */
import type { SqlExecutor } from '@gatehouse/service-kit';
import * as statements from './event.sql.js';
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

/**
 * A delivery attempt with its payload, kept while `log_webhook_events` of the directory is true.
 */
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

/**
 * Events of a directory after a sequence number, oldest first. Stops at the horizon, before which
 * no event can still be committed: a reader that continues from the last event misses none.
 */
export async function listEvents(
  sql: SqlExecutor,
  directoryId: string,
  after: string,
  limit: number,
): Promise<LoggedEvent[]> {
  const [row] = await sql.rows<{ horizon: string }>(statements.EVENT_HORIZON, [directoryId]);
  return sql.rows<LoggedEvent>(statements.LIST_EVENTS, [
    directoryId,
    after,
    row?.horizon ?? '0',
    limit,
  ]);
}

/** An event and its directory; undefined for an unknown event or a deleted directory. */
export async function findEvent(
  sql: SqlExecutor,
  id: string,
): Promise<(LoggedEvent & { source: EventSource }) | undefined> {
  const [row] = await sql.rows<LoggedEvent & { source: EventSource }>(statements.FIND_EVENT, [id]);
  return row;
}

export function attemptsOf(
  sql: SqlExecutor,
  eventIds: readonly string[],
): Promise<LoggedAttempt[]> {
  return sql.rows<LoggedAttempt>(statements.ATTEMPTS_OF_EVENTS, [eventIds]);
}

/**
 * Puts a finished event back into its lane; a pending event stays there.
 *
 * @returns false if the directory has no live webhook
 */
export async function resendEvent(sql: SqlExecutor, id: string): Promise<boolean> {
  return (await sql.rows(statements.RESEND_EVENT, [id])).length > 0;
}

export async function countsOf(sql: SqlExecutor, directoryId: string): Promise<DirectoryCounts> {
  const [row] = await sql.rows<DirectoryCounts>(statements.EVENT_COUNTS, [directoryId]);
  return row as DirectoryCounts;
}

/** Directories with undelivered events, optionally only one directory. */
export function undelivered(
  sql: SqlExecutor,
  directoryId: string | null,
): Promise<{ directoryId: string; events: number }[]> {
  return sql.rows(statements.UNDELIVERED, [directoryId]);
}

export function listWebhookLogs(
  sql: SqlExecutor,
  directoryId: string,
  offset: number,
  limit: number,
): Promise<WebhookLogRow[]> {
  return sql.rows<WebhookLogRow>(statements.LIST_WEBHOOK_LOGS, [directoryId, offset, limit]);
}
