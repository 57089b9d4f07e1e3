/** Reads the event log with the directories of its events. */
import { EventLog, type LogPosition } from '@gatehouse/delivery';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import * as statements from './event.sql.js';
import { DSYNC_SCHEMA } from '../database/schema.js';
import { type EventRow } from './event.types.js';
import { type EventSource } from './event.view.js';

export interface LoggedEvent extends EventRow {
  sourceId: string;
  source: EventSource;
}

/** The directories whose events are read. */
export type EventScope = { directoryId: string } | TenantScope;

export interface TenantScope {
  tenant: string | null;
  product: string | null;
}

export class EventRepository {
  private readonly log: EventLog;

  constructor(
    private readonly sql: SqlExecutor,
    private readonly pageBytesMax: number,
  ) {
    this.log = new EventLog(sql, DSYNC_SCHEMA);
  }

  /**
   * Events after a position, oldest first: at most `limit`, and fewer if they are large. Stops at the
   * horizon: a reader that continues from the last event misses none.
   */
  async list(
    scope: EventScope,
    after: LogPosition | undefined,
    limit: number,
  ): Promise<LoggedEvent[]> {
    const isOne = 'directoryId' in scope;
    const horizon = await this.log.horizon(isOne ? scope.directoryId : null);
    const { sequence = '0', createdAt = null } = after ?? {};
    const page = [sequence, horizon, limit, this.pageBytesMax, createdAt];
    if (isOne) return this.sql.rows(statements.LIST_EVENTS, [...page, scope.directoryId]);
    const { tenant, product } = scope;
    const some = tenant === null && product === null ? null : await this.fewDirectories(scope);
    return some === null
      ? this.sql.rows(statements.LIST_ALL_EVENTS, [...page, tenant, product])
      : this.sql.rows(statements.LIST_EVENTS_OF_SOME, [...page, some]);
  }

  /** The position of the first event at or after a time. */
  positionAt(time: Date, scope: EventScope): Promise<LogPosition> {
    return this.log.positionAt(time, 'directoryId' in scope ? scope.directoryId : null);
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

  /** The directories of a tenant or product; null if there are many. */
  private async fewDirectories({ tenant, product }: TenantScope): Promise<string[] | null> {
    const values = [tenant, product];
    const rows = await this.sql.rows<{ id: string }>(statements.DIRECTORIES_IN_SCOPE, values);
    return rows.length > statements.SCOPE_DIRECTORIES_MAX ? null : rows.map(({ id }) => id);
  }
}
