import { invalidField, type SqlExecutor } from '@gatehouse/service-kit';
import { isUuid } from '../database/uuid.js';
import { NO_DIRECTORY } from '../directories/directory.sql.js';
import { listWebhookLogs, type WebhookLogRow } from '../events/event.repository.js';
import type { SyncLogger } from '../sync-logger.js';
import { type Page, pageOf } from './page.input.js';
import { type Result, resultOf } from './result.js';

/** A logged attempt to deliver an event. */
export interface WebhookLog {
  id: string;
  directory_id: string;
  event_id: string;
  webhook_endpoint: string;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  created_at: string;
  payload: object;
  /** The start of the response body. */
  response: string | null;
}

/** The `webhookLogs` operations of the controller object. */
export class WebhookLogs {
  constructor(private readonly context: { sql: SqlExecutor; logger: SyncLogger }) {}

  /** Attempts made while `log_webhook_events` of the directory was true, newest first. */
  getAll(options: { directoryId: string } & Page): Promise<Result<WebhookLog[]>> {
    return resultOf(this.context.logger, async () => {
      const { offset, limit } = pageOf(options);
      if (!options?.directoryId) throw invalidField('directoryId', 'is required');
      const id = isUuid(options.directoryId) ? options.directoryId : NO_DIRECTORY;
      return (await listWebhookLogs(this.context.sql, id, offset, limit)).map(logView);
    });
  }
}

function logView(row: WebhookLogRow): WebhookLog {
  return {
    id: row.id,
    directory_id: row.directoryId,
    event_id: row.eventId,
    webhook_endpoint: row.endpoint,
    status_code: row.statusCode,
    duration_ms: row.durationMs,
    error: row.error,
    created_at: row.at.toISOString(),
    payload: row.payload,
    response: row.response,
  };
}
