/**
 * Keeps queries of unknown cost apart from everything else: a pool of their own, a time limit, and a
 * number of concurrent ones per directory, so that one directory cannot occupy the database.
 */
import { ScimError } from '@gatehouse/scim';
import { type SqlExecutor, sqlFault } from '@gatehouse/kit/sql';
import { type DataSource } from 'typeorm';
import { SearchSlots } from './search-slots.js';
import { SearchSql } from './search-sql.js';

export interface SearchLimits {
  /** Searches of one directory at once; of pages, twice as many. */
  searchesMax: number;
  searchTimeoutSeconds: number;
  /** Connections of searches and pages, in addition to those of the data source. */
  searchConnectionsMax: number;
}

/**
 * What a query may cost. `lookup`: finds few resources by a nearly unique value; `page`: reads a
 * part of an index; `search`: may read every resource of the directory.
 */
export type QueryClass = 'lookup' | 'page' | 'search';

const QUERY_CANCELED = '57014';

export class Searches {
  private readonly sql: SearchSql;
  /** Searches of all directories leave one connection to pages. */
  private readonly searches: SearchSlots;
  private readonly slots = new Map<string, SearchSlots>();

  constructor(
    dataSource: DataSource,
    private readonly limits: SearchLimits,
  ) {
    const { searchConnectionsMax, searchTimeoutSeconds } = limits;
    this.sql = new SearchSql(dataSource, {
      connectionsMax: searchConnectionsMax,
      timeoutMs: searchTimeoutSeconds * 1_000,
    });
    this.searches = new SearchSlots(Math.max(searchConnectionsMax - 1, 1));
  }

  /**
   * Runs the statements of a query of a directory.
   *
   * @throws ScimError 400 `tooMany` at the time limit
   * @throws DomainError `rate_limited` if the directory has too many queries at once
   */
  async run<T>(
    directoryId: string,
    queryClass: Exclude<QueryClass, 'lookup'>,
    work: (sql: SqlExecutor) => Promise<T>,
  ): Promise<T> {
    const { searchesMax } = this.limits;
    const isSearch = queryClass === 'search';
    const max = isSearch ? searchesMax : 2 * searchesMax;
    return this.inSlot(`${directoryId} ${queryClass}`, max, async () => {
      if (!isSearch) return this.limited(work);
      await this.searches.take();
      try {
        return await this.limited(work);
      } finally {
        this.searches.release();
      }
    });
  }

  close(): Promise<void> {
    return this.sql.close();
  }

  private async inSlot<T>(key: string, max: number, work: () => Promise<T>): Promise<T> {
    const slots = this.slots.get(key) ?? new SearchSlots(max);
    this.slots.set(key, slots);
    await slots.take();
    try {
      return await work();
    } finally {
      slots.release();
      if (slots.isIdle) this.slots.delete(key);
    }
  }

  private async limited<T>(work: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    try {
      return await work(this.sql);
    } catch (error) {
      if (sqlFault(error).code !== QUERY_CANCELED) throw error;
      const detail =
        `The query took longer than ${this.limits.searchTimeoutSeconds} s. Filter by an indexed ` +
        'attribute, such as userName or externalId, and page by cursor.';
      throw new ScimError(400, 'tooMany', detail);
    }
  }
}
