import { uuidv7Bound } from '@gatehouse/kit/ids';
import { DayPartitions, type Sql } from '@gatehouse/kit/sql';
import { DSYNC_SCHEMA } from '../database/schema.js';
import { type SyncLogger } from '../sync-logger.js';
import * as statements from './request-log.sql.js';
import {
  type RequestCounts,
  type RequestEntry,
  type RequestLogLimits,
} from './request-log.types.js';

/** Values that entries must have; undefined adds no condition. */
export interface EntryFilter {
  /** The lowest and the highest status. */
  status?: readonly [number, number];
  method?: string;
  resourceId?: string;
  /** The id of the last entry of the previous page. */
  after?: string;
}

/** Statuses from one to another, and how many entries are read of them. */
export interface StatusRange {
  low: number;
  high: number;
  most: number;
}

export interface StoredEntry extends Omit<RequestEntry, 'at'> {
  at: Date;
}

export interface RequestSummary {
  requests: number;
  errors: number;
  unauthorized: number;
  client: {
    provider: string | null;
    user_agent: string | null;
    usual_gap_seconds: number | null;
    unauthorized_at: string | null;
  } | null;
}

/** Requests of an hour with a class of statuses. */
export interface RequestCount {
  time: Date;
  status: '2xx' | '4xx' | '5xx';
  count: number;
}

export class RequestLogRepository {
  private readonly partitions: DayPartitions;

  constructor(
    private readonly sql: Sql,
    logger: SyncLogger,
  ) {
    this.partitions = new DayPartitions(sql, DSYNC_SCHEMA, 'create_request_partitions', logger);
  }

  /** @returns how many of the entries were stored */
  async write(
    entries: readonly RequestEntry[],
    counts: readonly RequestCounts[],
    { rowsPerDay, capturedPerDay }: RequestLogLimits,
  ): Promise<number> {
    const ids = [...entries, ...counts].map(({ directory_id }) => directory_id);
    const [row] = await this.sql.rows<{ stored: number }>(statements.WRITE_ENTRIES, [
      JSON.stringify(counts),
      JSON.stringify(entries),
      [...new Set(ids)],
      rowsPerDay,
      capturedPerDay,
    ]);
    return row?.stored ?? 0;
  }

  /** Newest first. Absent filters add no condition, so that every page uses an index. */
  list(directoryId: string, filter: EntryFilter, limit: number): Promise<StoredEntry[]> {
    const values: unknown[] = [directoryId, limit];
    const conditions = ['directory_id = $1'];
    const compare = (left: string, value: unknown) => {
      if (value !== undefined) conditions.push(`${left} $${values.push(value)}`);
    };
    compare('status >=', filter.status?.[0]);
    compare('status <=', filter.status?.[1]);
    compare('method =', filter.method);
    compare('resource_id =', filter.resourceId);
    compare('id <', filter.after);
    const text = `SELECT ${statements.ENTRY_COLUMNS} FROM dsync.scim_requests
      WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $2`;
    return this.sql.rows<StoredEntry>({ text }, values);
  }

  /** The newest entries of each range since a time, newest first. */
  newest(directoryId: string, since: Date, ranges: readonly StatusRange[]): Promise<StoredEntry[]> {
    return this.sql.rows<StoredEntry>(statements.NEWEST_ENTRIES, [
      directoryId,
      since,
      uuidv7Bound(since),
      ranges.map(({ low }) => low),
      ranges.map(({ high }) => high),
      ranges.map(({ most }) => most),
    ]);
  }

  async find(directoryId: string, id: string): Promise<StoredEntry | undefined> {
    const [row] = await this.sql.rows<StoredEntry>(statements.FIND_ENTRY, [directoryId, id]);
    return row;
  }

  async summary(directoryId: string): Promise<RequestSummary> {
    const [row] = await this.sql.rows<RequestSummary>(statements.SUMMARY, [directoryId]);
    return row as RequestSummary;
  }

  /** Counts of a directory, or of all, the oldest first. */
  byStatus(directoryId: string | undefined, from: Date, until: Date): Promise<RequestCount[]> {
    const values = [directoryId ?? statements.ALL_DIRECTORIES, from, until];
    return this.sql.rows<RequestCount>(statements.BY_STATUS, values);
  }

  /** Creates the partitions of the next days. @returns the names of those that it dropped */
  async maintain(ttlSeconds: number): Promise<string[]> {
    const dropped = await this.partitions.maintain([{ name: 'scim_requests', ttlSeconds }]);
    await this.sql.rows(statements.DELETE_OLD_COUNTS);
    return dropped;
  }
}
