import { invalidField } from '@gatehouse/service-kit';
import type { Executor } from '../database/database.js';
import { wholeNumber } from './directory.input.js';
import type { DirectoryRepository } from '../directories/directory.repository.js';
import { notFound, type Result, resultOf, type SyncLogger } from './result.js';
import { isUuid } from '../database/uuid.js';
import * as events from '../events/event.repository.js';
import { eventPayload, type EventSource } from '../events/event.view.js';
import type { DirectoryEvent, EventState } from '../events/event.types.js';

/** An event with what became of it. */
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
  executor: Executor;
  directories: DirectoryRepository;
  logger: SyncLogger;
  wakeLane: (directoryId: string) => void;
}

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 1_000;
const WAIT_SECONDS_MAX = 60;
const WAIT_POLL_MS = 100;

/** The `events` operations of the controller object. */
export class Events {
  constructor(private readonly context: EventsContext) {}

  /**
   * The log of a directory, oldest first; `after` is the id of the last event that was read. A
   * reader who goes on from there misses nothing. 400 without a directory, 404 for an unknown
   * directory or event.
   */
  getAll(options: {
    directoryId: string;
    after?: string;
    limit?: number;
  }): Promise<Result<DirectoryEventRecord[]>> {
    return this.operation(async () => {
      const { directoryId, after } = options ?? {};
      if (!directoryId) throw invalidField('directoryId', 'is required');
      const limit = wholeNumber(options?.limit, 'limit', 1, Number.MAX_SAFE_INTEGER);
      const source = await this.requireDirectory(directoryId);
      const { executor } = this.context;
      const rows = await events.listEvents(
        executor,
        source.id,
        await this.sequenceAfter(source.id, after),
        Math.min(limit ?? LIMIT_DEFAULT, LIMIT_MAX),
      );
      return this.records(rows.map((row) => ({ ...row, source })));
    });
  }

  /** One event with its attempts. 404 when there is none. */
  get(id: string): Promise<Result<DirectoryEventRecord>> {
    return this.operation(async () => {
      const [record] = await this.records([await this.require(id)]);
      return record as DirectoryEventRecord;
    });
  }

  /** Delivers an event once more, from its first attempt on. 400 while its directory sends nothing. */
  resend(id: string): Promise<Result<DirectoryEventRecord>> {
    return this.operation(async () => {
      const { executor, wakeLane } = this.context;
      const { source } = await this.require(id);
      if (!(await events.resendEvent(executor, id))) {
        throw invalidField('id', 'the directory of this event has no live webhook');
      }
      wakeLane(source.id);
      const [record] = await this.records([await this.require(id)]);
      return record as DirectoryEventRecord;
    });
  }

  /**
   * Wakes the lanes that have undelivered events. With `wait` (seconds, at most 60) it resolves
   * when they are delivered, or with what is left when the time is over.
   */
  processBatch(
    options: { directoryId?: string; wait?: number } = {},
  ): Promise<Result<{ directories: number; events: number }>> {
    return this.operation(async () => {
      const { directoryId: only, wait } = options ?? {};
      const seconds = wholeNumber(wait, 'wait', 0, WAIT_SECONDS_MAX) ?? 0;
      const id = only ? (await this.requireDirectory(only)).id : null;
      const { executor, wakeLane } = this.context;
      let lanes = await events.undelivered(executor, id);
      for (const { directoryId } of lanes) wakeLane(directoryId);
      const found = summary(lanes);
      const deadline = performance.now() + seconds * 1000;
      while (seconds > 0 && lanes.length > 0) {
        if (performance.now() > deadline) return summary(lanes);
        await new Promise((resolve) => setTimeout(resolve, WAIT_POLL_MS));
        lanes = await events.undelivered(executor, id);
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
    const event = isUuid(id) ? await events.findEvent(this.context.executor, id) : undefined;
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
    const attempts = ids.length === 0 ? [] : await events.attemptsOf(this.context.executor, ids);
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
