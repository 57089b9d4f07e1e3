import {
  type DeliveryStatus,
  type Endpoint,
  type ParkedEventView,
  parkedEventView,
  type Sender,
  type TestView,
  testView,
} from '@gatehouse/delivery';
import { adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { isUuid } from '@gatehouse/kit/ids';
import { invalidField } from '@gatehouse/kit/input';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { LIBRARY_CALL } from '../audit/audit-table.js';
import { type DirectoryRepository } from '../directories/directory.repository.js';
import { type SyncLogger } from '../sync-logger.js';
import { type Page, pageOf } from './page.input.js';
import { type Result, resultOf } from './result.js';
import { notFound } from '../sync.errors.js';

export interface WebhooksContext {
  sql: Sql;
  audit: AuditEvents;
  directories: DirectoryRepository;
  delivered: DeliveryStatus;
  sender: Sender;
  logger: SyncLogger;
  wakeLane: (directoryId: string) => void;
}

/** The `webhooks` operations of the controller object. */
export class Webhooks {
  constructor(private readonly context: WebhooksContext) {}

  /** Keeps events as pending until `resume`. 400 without a live webhook, 404 for no directory. */
  pause(id: string, call: CallContext = LIBRARY_CALL): Promise<Result<null>> {
    return this.change(id, 'webhook.paused', call, (sql) =>
      this.context.directories.endpoints.pause(sql, id, 'paused by an administrator'),
    );
  }

  /** Ends a pause: delivery goes on with the oldest pending event. Errors as `pause`. */
  resume(id: string, call: CallContext = LIBRARY_CALL): Promise<Result<null>> {
    return this.change(id, 'webhook.resumed', call, (sql) =>
      this.context.directories.endpoints.resume(sql, id),
    );
  }

  /** Sends a signed `webhook.ping`; its success ends a failure or a pause. Errors as `pause`. */
  test(id: string, call: CallContext = LIBRARY_CALL): Promise<Result<TestView>> {
    return resultOf(this.context.logger, async () => {
      const webhook = await this.require(id);
      const answer = testView(await this.context.sender.ping(webhook));
      if (answer.delivered && webhook.state !== 'healthy') await this.resume(id, call);
      return answer;
    });
  }

  /** Parked events, the newest first; resending one unparks it. 404 for an unknown directory. */
  parked(options: { directoryId: string } & Page): Promise<Result<ParkedEventView[]>> {
    return resultOf(this.context.logger, async () => {
      const { offset, limit } = pageOf(options);
      const { directoryId } = options;
      const { directories, delivered } = this.context;
      const isKnown = isUuid(directoryId) && (await directories.access(directoryId));
      if (!isKnown) throw notFound('Directory not found.');
      return (await delivered.parkedOf(directoryId, { offset, limit })).map(parkedEventView);
    });
  }

  private change(
    id: string,
    type: string,
    call: CallContext,
    work: (sql: SqlExecutor) => Promise<void>,
  ): Promise<Result<null>> {
    return resultOf(this.context.logger, async () => {
      await this.require(id);
      const { sql, audit, wakeLane } = this.context;
      await sql.transaction(async (transaction) => {
        await work(transaction);
        await audit.insert([adminEventOf({ type, targetId: id }, call)], transaction);
      });
      wakeLane(id);
      return null;
    });
  }

  private async require(id: string): Promise<Endpoint> {
    const directory = isUuid(id) ? await this.context.directories.find(id) : null;
    if (!directory) throw notFound('Directory not found.');
    const { webhook } = directory;
    if (!webhook.enabled || webhook.state === 'stopped') {
      throw invalidField('id', 'this directory has no live webhook');
    }
    return webhook;
  }
}
