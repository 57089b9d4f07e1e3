/** Reads the event log with the directories of its events. */
import { EventLog } from '@gatehouse/delivery';
import { type SqlExecutor } from '@gatehouse/service-kit';
import * as statements from './event.sql.js';
import { DSYNC_SCHEMA } from '../database/schema.js';
import { type EventRow } from './event.types.js';
import { type EventSource } from './event.view.js';

export interface LoggedEvent extends EventRow {
  source: EventSource;
}

/** The directories whose events are read. */
export type EventScope =
  { directoryId: string } | { tenant: string | null; product: string | null };

export class EventRepository {
  private readonly log: EventLog;

  constructor(
    private readonly sql: SqlExecutor,
    private readonly pageBytesMax: number,
  ) {
    this.log = new EventLog(sql, DSYNC_SCHEMA);
  }

  /**
   * Events after a sequence number, oldest first: at most `limit`, and fewer if they are large. Stops
   * at the horizon: a reader that continues from the last event misses none.
   */
  async list(scope: EventScope, after: string, limit: number): Promise<LoggedEvent[]> {
    const isOne = 'directoryId' in scope;
    const horizon = await this.log.horizon(isOne ? scope.directoryId : null);
    const page = [after, horizon, limit, this.pageBytesMax];
    return isOne
      ? this.sql.rows(statements.LIST_EVENTS, [...page, scope.directoryId])
      : this.sql.rows(statements.LIST_ALL_EVENTS, [...page, scope.tenant, scope.product]);
  }

  /** Undefined for an unknown event or a deleted directory. */
  async find(id: string): Promise<LoggedEvent | undefined> {
    const [event] = await this.sql.rows<LoggedEvent>(statements.FIND_EVENT, [id]);
    return event;
  }

  /** The id of the newest event that a reader of all directories would get; undefined if none. */
  async latest(): Promise<string | undefined> {
    const horizon = await this.log.horizon(null);
    const [event] = await this.sql.rows<{ id: string }>(statements.LATEST_EVENT, [horizon]);
    return event?.id;
  }

  /** The sequence number before the first event at or after a time. */
  sequenceBefore(time: Date): Promise<string> {
    return this.log.sequenceBefore(time);
  }

  /** The newest number at or below which no event can still be committed. */
  horizon(): Promise<string> {
    return this.log.horizon(null);
  }
}
