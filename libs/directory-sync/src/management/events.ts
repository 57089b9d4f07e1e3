import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AdminChange,
  adminEventOf,
  type AuditEvents,
  type CallContext,
  InputReader,
  invalidField,
  type Sql,
} from '@gatehouse/service-kit';
import { LIBRARY_CALL } from '../audit/audit-table.js';
import { isUuid } from '../database/uuid.js';
import type { DirectoryRepository } from '../directories/directory.repository.js';
import * as events from '../events/event.repository.js';
import type { DirectoryEvent, EventState } from '../events/event.types.js';
import { eventPayload, type EventSource } from '../events/event.view.js';
import type { SyncLogger } from '../sync-logger.js';
import { limitOf } from './page.input.js';
import { notFound, type Result, resultOf } from './result.js';

/** An event with the state of its delivery. */
export interface DirectoryEventRecord extends DirectoryEvent {
  state: EventState;
  attempts: {
    at: string;
    status_code: number | null;
    duration_ms: number;
    error: string | null;
  }[];
}

export interface EventsContext {
  sql: Sql;
  audit: AuditEvents;
  directories: DirectoryRepository;
  logger: SyncLogger;
  wakeLane: (directoryId: string) => void;
}

const WAIT_SECONDS_MAX = 60;
const WAIT_POLL_MS = 100;

/** The `events` operations of the controller object. */
export class Events {
  constructor(private readonly context: EventsContext) {}

  /**
   * The event log of a directory, oldest first. `after` is the id of the last event that was read;
   * a reader that continues from there misses no event. 400 without a directory, 404 for an
   * unknown directory or event.
   */
  getAll(options: {
    directoryId: string;
    after?: string;
    limit?: number;
  }): Promise<Result<DirectoryEventRecord[]>> {
    return this.operation(async () => {
      const { directoryId, after } = options ?? {};
      if (!directoryId) throw invalidField('directoryId', 'is required');
      const input = InputReader.ofQuery(options);
      const limit = limitOf(input, 'limit');
      input.throwIfInvalid();
      const source = await this.requireDirectory(directoryId);
      const { sql } = this.context;
      const rows = await events.listEvents(
        sql,
        source.id,
        await this.sequenceAfter(source.id, after),
        limit,
      );
      return this.records(rows.map((row) => ({ ...row, source })));
    });
  }

  /** One event with its delivery attempts. 404 for an unknown event. */
  get(id: string): Promise<Result<DirectoryEventRecord>> {
    return this.operation(async () => {
      const [record] = await this.records([await this.require(id)]);
      return record as DirectoryEventRecord;
    });
  }

  /** Delivers an event again, starting at its first attempt. 400 without a live webhook. */
  resend(id: string, call: CallContext = LIBRARY_CALL): Promise<Result<DirectoryEventRecord>> {
    return this.operation(async () => {
      const { sql, audit, wakeLane } = this.context;
      const { source } = await this.require(id);
      const details = { directory_id: source.id };
      const change = { type: 'event.resent', targetId: id, details };
      await sql.transaction(async (transaction) => {
        if (!(await events.resendEvent(transaction, id))) {
          throw invalidField('id', 'the directory of this event has no live webhook');
        }
        await audit.insert([adminEventOf(change, call)], transaction);
      });
      wakeLane(source.id);
      const [record] = await this.records([await this.require(id)]);
      return record as DirectoryEventRecord;
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
      const { sql, audit, wakeLane } = this.context;
      const change: AdminChange = { type: 'events.processed', targetId: id ?? '' };
      await audit.insert([adminEventOf(change, call)]);
      let lanes = await events.undelivered(sql, id);
      for (const { directoryId } of lanes) wakeLane(directoryId);
      const found = summary(lanes);
      const deadline = performance.now() + seconds * 1000;
      while (seconds > 0 && lanes.length > 0) {
        if (performance.now() > deadline) return summary(lanes);
        await sleep(WAIT_POLL_MS);
        lanes = await events.undelivered(sql, id);
      }
      return found;
    });
  }

  private async sequenceAfter(directoryId: string, after: string | undefined): Promise<string> {
    if (after === undefined || after === '') return '0';
    const event = await this.require(after);
    if (event.source.id !== directoryId) throw eventNotFound();
    return event.sequence;
  }

  private async require(id: string) {
    const event = isUuid(id) ? await events.findEvent(this.context.sql, id) : undefined;
    if (!event) throw eventNotFound();
    return event;
  }

  private async requireDirectory(id: string | undefined): Promise<EventSource> {
    const directory = isUuid(id) ? await this.context.directories.access(id) : undefined;
    if (!directory) throw notFound('Directory not found.');
    return directory;
  }

  private async records(
    rows: readonly (events.LoggedEvent & { source: EventSource })[],
  ): Promise<DirectoryEventRecord[]> {
    const ids = rows.map(({ id }) => id);
    const attempts = ids.length === 0 ? [] : await events.attemptsOf(this.context.sql, ids);
    return rows.map((row) => ({
      ...eventPayload(row, row.source),
      state: row.state,
      attempts: attempts.filter(({ eventId }) => eventId === row.id).map(attemptView),
    }));
  }

  private operation<T>(work: () => Promise<T>): Promise<Result<T>> {
    return resultOf(this.context.logger, work);
  }
}

function attemptView({ at, statusCode, durationMs, error }: events.LoggedAttempt) {
  return { at: at.toISOString(), status_code: statusCode, duration_ms: durationMs, error };
}

function summary(lanes: readonly { events: number }[]): { directories: number; events: number } {
  return { directories: lanes.length, events: lanes.reduce((sum, { events: n }) => sum + n, 0) };
}

function eventNotFound() {
  return notFound('Event not found.');
}
