import { type DeliveryStatus, type PayloadRecord } from '@gatehouse/delivery';
import { isUuid } from '@gatehouse/kit/ids';
import { invalidField } from '@gatehouse/kit/input';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import { webhookOf } from '../../directories/directory-webhook.js';
import { notFound } from '../../sync.errors.js';
import { type Page, pageOf } from '../page.input.js';

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
  constructor(
    private readonly context: {
      directories: DirectoryRepository;
      delivered: DeliveryStatus;
    },
  ) {}

  /** Attempts made while `log_webhook_events` of the directory was true, newest first. 404 for an unknown one. */
  async getAll(options: { directoryId: string } & Page): Promise<WebhookLog[]> {
    const { offset, limit } = pageOf(options);
    if (!options?.directoryId) throw invalidField('directoryId', 'is required');
    const { directoryId: id } = options;
    const { directories, delivered } = this.context;
    if (!isUuid(id) || !(await directories.access(id))) throw notFound('Directory not found.');
    const rows = await delivered.loggedAttempts(webhookOf(id), offset, limit);
    return rows.map((row) => logView(id, row));
  }
}

function logView(directoryId: string, row: PayloadRecord): WebhookLog {
  return {
    id: row.id,
    directory_id: directoryId,
    event_id: row.eventId,
    webhook_endpoint: row.url,
    status_code: row.statusCode,
    duration_ms: row.durationMs,
    error: row.error,
    created_at: row.at.toISOString(),
    payload: row.payload,
    response: row.response,
  };
}
