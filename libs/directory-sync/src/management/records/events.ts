import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DeliveryStatus,
  type LaneRepository,
  type LogPosition,
  OPERATIONS_SOURCE,
} from '@gatehouse/delivery';
import {
  EventAdmin,
  type EventAdminOptions,
  type EventRecord,
  readTime,
} from '@gatehouse/delivery/management';
import { type AdminChange, adminEventOf } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader } from '@gatehouse/kit/input';
import { LIBRARY_CALL } from '../../audit/audit-table.js';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import {
  type EventRepository,
  type EventScope,
  type LoggedEvent,
  type TenantScope,
} from '../../events/event.repository.js';
import { type DirectoryEvent } from '../../events/event.types.js';
import { eventPayload, type EventSource } from '../../events/event.view.js';
import { violationMessage } from '../body.input.js';
import { scopeText } from '../directories/directory.input.js';
import { limitOf } from '../page.input.js';
import { notFound } from '../../sync.errors.js';

/** An event with the state of its delivery. */
export type DirectoryEventRecord = EventRecord<DirectoryEvent>;

export interface EventsOptions extends Omit<
  EventAdminOptions<LoggedEvent, DirectoryEvent>,
  'find' | 'body'
> {
  directories: DirectoryRepository;
  log: EventRepository;
  delivered: DeliveryStatus;
  lanes: LaneRepository;
}

const WAIT_SECONDS_MAX = 60;
const WAIT_POLL_MS = 100;

/** The `events` operations of the controller object. */
export class Events extends EventAdmin<LoggedEvent, DirectoryEvent> {
  constructor(private readonly context: EventsOptions) {
    super({
      ...context,
      find: (id) => context.log.find(id),
      body: (event) => eventPayload(event, event.source),
    });
  }

  /**
   * The event log, oldest first: of one directory or of all, and of a tenant or product if given. `after` is
   * the id of the last event that was read, or of any other in the log, such as that of `latest`; a reader
   * that continues from there misses no event. `fromTime` begins at a time instead. A page of large events is shorter than `limit`; the log ends
   * with an empty page. 404 for an unknown directory or event.
   */
  async getAll(
    options: {
      directoryId?: string;
      tenant?: string;
      product?: string;
      after?: string;
      fromTime?: string;
      limit?: number;
    } = {},
  ): Promise<DirectoryEventRecord[]> {
    const { directoryId, after } = options ?? {};
    const input = InputReader.ofQuery(options ?? {}, { message: violationMessage });
    const limit = limitOf(input, 'limit');
    const owner = {
      tenant: options?.tenant ? scopeText(input, 'tenant') : null,
      product: options?.product ? scopeText(input, 'product') : null,
    };
    const from = readTime(input, 'fromTime');
    if (from && after) input.addViolation('after', 'must not be set with fromTime', undefined);
    input.throwIfInvalid();
    const directory = directoryId ? await this.requireDirectory(directoryId) : undefined;
    const scope: EventScope = directoryId ? { directoryId } : owner;
    let start: LogPosition | undefined = from && (await this.context.log.positionAt(from, scope));
    if (after) start = await this.require(after);
    if (directory && !isOf(directory, owner)) return [];
    return this.records(await this.context.log.list(scope, start, limit));
  }

  /** The id of the newest event, a cursor for a reader that starts now; '' if the log is empty. */
  async latest(): Promise<{ id: string }> {
    return { id: (await this.context.log.latest()) ?? '' };
  }

  /**
   * Wakes the lanes that have undelivered events. With `wait` (seconds, at most 60), resolves when
   * all are delivered, or with the remaining ones at the end of that time.
   */
  async processBatch(
    options: { directoryId?: string; wait?: number } = {},
    call: CallContext = LIBRARY_CALL,
  ): Promise<{ directories: number; events: number }> {
    const { directoryId: only } = options ?? {};
    const input = InputReader.ofQuery(options ?? {});
    const seconds = input.integer('wait', { max: WAIT_SECONDS_MAX }) ?? 0;
    input.throwIfInvalid();
    const id = only ? (await this.requireDirectory(only)).id : null;
    const { sql, audit, wake, lanes } = this.context;
    const change: AdminChange = { type: 'events.processed', targetId: id ?? '' };
    await audit.insert([adminEventOf(change, call)], sql);
    await lanes.sweep();
    let waiting = await this.undelivered(id);
    for (const { sourceId } of waiting) wake(sourceId);
    const found = summary(waiting);
    const deadline = performance.now() + seconds * 1000;
    while (seconds > 0 && waiting.length > 0) {
      if (performance.now() > deadline) return summary(waiting);
      await sleep(WAIT_POLL_MS);
      waiting = await this.undelivered(id);
    }
    return found;
  }

  private async undelivered(directoryId: string | null) {
    const sources = await this.context.delivered.undelivered(directoryId);
    return sources.filter(({ sourceId }) => sourceId !== OPERATIONS_SOURCE);
  }

  private async requireDirectory(id: string): Promise<EventSource> {
    const directory = isUuid(id) ? await this.context.directories.access(id) : undefined;
    if (!directory) throw notFound('Directory not found.');
    return directory;
  }
}

function isOf(directory: EventSource, { tenant, product }: TenantScope): boolean {
  return [null, directory.tenant].includes(tenant) && [null, directory.product].includes(product);
}

function summary(sources: readonly { events: number }[]): { directories: number; events: number } {
  return {
    directories: sources.length,
    events: sources.reduce((sum, { events: n }) => sum + n, 0),
  };
}
