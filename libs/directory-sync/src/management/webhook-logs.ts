import { invalidField } from '@gatehouse/service-kit';
import type { Executor } from '../database/database.js';
import { pageOf } from './directory.input.js';
import type { Page } from '../directories/directory.types.js';
import { NO_DIRECTORY } from '../directories/scope.js';
import { type Result, resultOf, type SyncLogger } from './result.js';
import { isUuid } from '../database/uuid.js';
import { listWebhookLogs, type WebhookLogRow } from '../events/event.repository.js';

/** One logged attempt to deliver an event. */
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
  /** The start of the answer. */
  response: string | null;
}

/** The `webhookLogs` operations of the controller object. */
export class WebhookLogs {
  constructor(private readonly context: { executor: Executor; logger: SyncLogger }) {}

  /** What was sent while the directory's `log_webhook_events` was true, newest first. */
  getAll(options: { directoryId: string } & Page): Promise<Result<WebhookLog[]>> {
    return resultOf(this.context.logger, async () => {
      const { offset, limit } = pageOf(options);
      if (!options?.directoryId) throw invalidField('directoryId', 'is required');
      const id = isUuid(options?.directoryId) ? options.directoryId : NO_DIRECTORY;
      return (await listWebhookLogs(this.context.executor, id, offset, limit)).map(logView);
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
