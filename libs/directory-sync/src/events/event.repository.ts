/** Reads of the event log, and resending. Events are written by the statements of users and groups. */
import type { SqlExecutor } from '@gatehouse/service-kit';
import {
  ATTEMPTS_OF_EVENTS,
  EVENT_COUNTS,
  EVENT_HORIZON,
  FIND_EVENT,
  LIST_EVENTS,
  LIST_WEBHOOK_LOGS,
  RESEND_EVENT,
  UNDELIVERED,
} from './event.sql.js';
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

/**
 * Events of a directory after a sequence number, oldest first. None is left out that a reader who
 * goes on from the last one could miss: those beyond the horizon come with a later call.
 */
export async function listEvents(
  sql: SqlExecutor,
  directoryId: string,
  after: string,
  limit: number,
): Promise<LoggedEvent[]> {
  const [row] = await sql.rows<{ horizon: string }>(EVENT_HORIZON, [directoryId]);
  return sql.rows<LoggedEvent>(LIST_EVENTS, [directoryId, after, row?.horizon ?? '0', limit]);
}

/** An event and the directory it belongs to; none of a deleted directory. */
export async function findEvent(
  sql: SqlExecutor,
  id: string,
): Promise<(LoggedEvent & { source: EventSource }) | undefined> {
  const [row] = await sql.rows<LoggedEvent & { source: EventSource }>(FIND_EVENT, [id]);
  return row;
}

export function attemptsOf(
  sql: SqlExecutor,
  eventIds: readonly string[],
): Promise<LoggedAttempt[]> {
  return sql.rows<LoggedAttempt>(ATTEMPTS_OF_EVENTS, [eventIds]);
}

/** Puts a finished event back into its lane; one that waits stays there. False when its directory sends nothing. */
export async function resendEvent(sql: SqlExecutor, id: string): Promise<boolean> {
  return (await sql.rows(RESEND_EVENT, [id])).length > 0;
}

export async function countsOf(sql: SqlExecutor, directoryId: string): Promise<DirectoryCounts> {
  const [row] = await sql.rows<DirectoryCounts>(EVENT_COUNTS, [directoryId]);
  return row as DirectoryCounts;
}

/** Directories with undelivered events, of all or of one directory. */
export function undelivered(
  sql: SqlExecutor,
  directoryId: string | null,
): Promise<{ directoryId: string; events: number }[]> {
  return sql.rows(UNDELIVERED, [directoryId]);
}

export function listWebhookLogs(
  sql: SqlExecutor,
  directoryId: string,
  offset: number,
  limit: number,
): Promise<WebhookLogRow[]> {
  return sql.rows<WebhookLogRow>(LIST_WEBHOOK_LOGS, [directoryId, offset, limit]);
}
