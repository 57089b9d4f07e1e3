import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DeliveryStatus,
  type EventAttemptView,
  eventAttemptView,
  type EventReplay,
  type EventState,
  type LaneRepository,
  type LogPosition,
  OPERATIONS_SOURCE,
  readReplay,
  replayDetails,
  type Replays,
} from '@gatehouse/delivery';
import { DIRECTORY_EVENTS } from '@gatehouse/schemas';
import { type AdminChange, adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { LIBRARY_CALL } from '../audit/audit-table.js';
import { type DirectoryRepository } from '../directories/directory.repository.js';
import {
  type EventRepository,
  type EventScope,
  type LoggedEvent,
} from '../events/event.repository.js';
import { type DirectoryEvent } from '../events/event.types.js';
import { eventPayload, type EventSource } from '../events/event.view.js';
import { type SyncLogger } from '../sync-logger.js';
import { limitOf } from './page.input.js';
import { type Result, resultOf } from './result.js';
import { notFound } from '../sync.errors.js';

/** An event with the state of its delivery. */
export interface DirectoryEventRecord extends DirectoryEvent {
  state: EventState;
  attempts: EventAttemptView[];
}

export interface EventsContext {
  sql: Sql;
  audit: AuditEvents;
  directories: DirectoryRepository;
  log: EventRepository;
  replays: Replays;
  delivered: DeliveryStatus;
  lanes: LaneRepository;
  logger: SyncLogger;
  wakeLane: (directoryId: string) => void;
}

const WAIT_SECONDS_MAX = 60;
const WAIT_POLL_MS = 100;
const TEXT = { max: 512 };

/** The `events` operations of the controller object. */
export class Events {
  constructor(private readonly context: EventsContext) {}

  /**
   * The event log, oldest first: of one directory, or of all directories, of a tenant or product if
   * given. `after` is the id of the last event that was read; a reader that continues from there
   * misses no event. A page of large events is shorter than `limit`; the log ends with an empty page.
   * 404 for an unknown directory or event.
   */
  getAll(
    options: {
      directoryId?: string;
      tenant?: string;
      product?: string;
      after?: string;
      limit?: number;
    } = {},
  ): Promise<Result<DirectoryEventRecord[]>> {
    return this.operation(async () => {
      const { directoryId, after } = options ?? {};
      const input = InputReader.ofQuery(options ?? {});
      const limit = limitOf(input, 'limit');
      const scope: EventScope = directoryId
        ? { directoryId }
        : {
            tenant: input.text('tenant', TEXT) || null,
            product: input.text('product', TEXT) || null,
          };
      input.throwIfInvalid();
      if (directoryId) await this.requireDirectory(directoryId);
      const start = await this.positionAfter(directoryId, after);
      return this.records(await this.context.log.list(scope, start, limit));
    });
  }

  /** The id of the newest event, a cursor for a reader that starts now; '' if the log is empty. */
  latest(): Promise<Result<{ id: string }>> {
    return this.operation(async () => ({ id: (await this.context.log.latest()) ?? '' }));
  }

  /** One event with its delivery attempts. 404 for an unknown event. */
  get(id: string): Promise<Result<DirectoryEventRecord>> {
    return this.operation(async () => this.record(await this.require(id)));
  }

  /**
   * Delivers an event again, to one endpoint of its directory or to all. 400 without a live one that
   * takes it.
   */
  resend(
    id: string,
    call: CallContext = LIBRARY_CALL,
    endpointId?: string,
  ): Promise<Result<DirectoryEventRecord>> {
    return this.operation(async () => {
      const event = await this.require(id);
      const { source, sequence, type } = event;
      const details = { directory_id: source.id, ...(endpointId && { endpoint_id: endpointId }) };
      const change = { type: 'event.resent', targetId: id, details };
      const audit = this.audited(change, call);
      const stored = { sourceId: source.id, sequence, type };
      const sent = await this.context.replays.resend(stored, endpointId, audit);
      if (sent === 0) throw invalidField('id', 'the directory of this event has no live webhook');
      return this.record(event);
    });
  }

  /**
   * Sends a part of the log again, in order and beside new events, of one directory or of all.
   * Returns the number of endpoints that receive it. 404 for an unknown directory, event or endpoint.
   */
  replay(
    directoryId: string | null,
    range: EventReplay,
    call: CallContext = LIBRARY_CALL,
  ): Promise<Result<{ endpoints: number }>> {
    return this.operation(async () => {
      if (directoryId !== null) await this.requireDirectory(directoryId);
      const input = InputReader.of(range, { unknown: 'refuse' });
      const request = readReplay(input, DIRECTORY_EVENTS);
      input.throwIfInvalid();
      const start = await this.positionAfter(directoryId ?? undefined, request.after);
      const details = replayDetails(request);
      const change = { type: 'events.replayed', targetId: directoryId ?? '', details };
      const endpoints = await this.context.replays.start(
        directoryId,
        request,
        start?.sequence ?? '0',
        this.audited(change, call),
      );
      return { endpoints };
    });
  }

  /**
   * Wakes the lanes that have undelivered events. With `wait` (seconds, at most 60), resolves when
   * all are delivered, or with the remaining ones at the end of that time.
   */
  processBatch(
    options: { directoryId?: string; wait?: number } = {},
    call: CallContext = LIBRARY_CALL,
  ): Promise<Result<{ directories: number; events: number }>> {
    return this.operation(async () => {
      const { directoryId: only } = options ?? {};
      const input = InputReader.ofQuery(options ?? {});
      const seconds = input.integer('wait', { max: WAIT_SECONDS_MAX }) ?? 0;
      input.throwIfInvalid();
      const id = only ? (await this.requireDirectory(only)).id : null;
      const { sql, audit, wakeLane, lanes } = this.context;
      const change: AdminChange = { type: 'events.processed', targetId: id ?? '' };
      await audit.insert([adminEventOf(change, call)], sql);
      await lanes.markDue();
      let waiting = await this.undelivered(id);
      for (const { sourceId } of waiting) wakeLane(sourceId);
      const found = summary(waiting);
      const deadline = performance.now() + seconds * 1000;
      while (seconds > 0 && waiting.length > 0) {
        if (performance.now() > deadline) return summary(waiting);
        await sleep(WAIT_POLL_MS);
        waiting = await this.undelivered(id);
      }
      return found;
    });
  }

  private async undelivered(directoryId: string | null) {
    const sources = await this.context.delivered.undelivered(directoryId);
    return sources.filter(({ sourceId }) => sourceId !== OPERATIONS_SOURCE);
  }

  private audited(change: AdminChange, call: CallContext) {
    return (sql: SqlExecutor) => this.context.audit.insert([adminEventOf(change, call)], sql);
  }

  private async positionAfter(
    directoryId: string | undefined,
    after: string | undefined,
  ): Promise<LogPosition | undefined> {
    if (after === undefined || after === '') return undefined;
    const event = await this.require(after);
    if (directoryId && event.source.id !== directoryId) throw eventNotFound();
    return event;
  }

  private async require(id: string): Promise<LoggedEvent> {
    const event = isUuid(id) ? await this.context.log.find(id) : undefined;
    if (!event) throw eventNotFound();
    return event;
  }

  private async requireDirectory(id: string): Promise<EventSource> {
    const directory = isUuid(id) ? await this.context.directories.access(id) : undefined;
    if (!directory) throw notFound('Directory not found.');
    return directory;
  }

  private async record(event: LoggedEvent): Promise<DirectoryEventRecord> {
    const [record] = await this.records([event]);
    return record as DirectoryEventRecord;
  }

  private async records(rows: readonly LoggedEvent[]): Promise<DirectoryEventRecord[]> {
    const ids = rows.map(({ id }) => id);
    const { delivered } = this.context;
    const [states, attempts] = await Promise.all([
      delivered.statesOf(ids),
      delivered.attemptsOf(ids),
    ]);
    return rows.map((row) => ({
      ...eventPayload(row, row.source),
      state: states.get(row.id) ?? 'not_sent',
      attempts: attempts.filter(({ eventId }) => eventId === row.id).map(eventAttemptView),
    }));
  }

  private operation<T>(work: () => Promise<T>): Promise<Result<T>> {
    return resultOf(this.context.logger, work);
  }
}

function summary(sources: readonly { events: number }[]): { directories: number; events: number } {
  return {
    directories: sources.length,
    events: sources.reduce((sum, { events: n }) => sum + n, 0),
  };
}

function eventNotFound() {
  return notFound('Event not found.');
}
