/**
 * Keeps queries of unknown cost apart from everything else: a pool of their own, a time limit, and a
 * number of concurrent ones per directory, so that one directory cannot occupy the database.
 */
import { DomainError } from '@gatehouse/kit/errors';
import { Semaphore, type SemaphoreOptions, Semaphores } from '@gatehouse/kit/tasks';
import { ScimError } from '@gatehouse/scim';
import { type SqlExecutor, sqlFault } from '@gatehouse/kit/sql';
import { type DataSource } from 'typeorm';
import { SyncErrors } from '../sync.errors.js';
import { SearchSql } from './search-sql.js';

export interface SearchLimits {
  /** Searches of one directory at once; of pages, twice as many. */
  searchesMax: number;
  searchTimeoutSeconds: number;
  /** Connections of searches and pages, in addition to those of the data source. */
  searchConnectionsMax: number;
}

/**
 * The cost class of a query. `lookup`: finds few resources by a nearly unique value; `page`: reads a
 * part of an index; `search`: may read every resource of the directory.
 */
export type QueryClass = 'lookup' | 'page' | 'search';

const WAIT_MS_MAX = 1_000;
const WAITING_MAX = 32;
const QUERY_CANCELED = '57014';

export class Searches {
  private readonly sql: SearchSql;
  /** Searches of all directories leave one connection to pages. */
  private readonly searches: Semaphore;
  private readonly searchesByDirectory: Semaphores;
  private readonly pagesByDirectory: Semaphores;

  constructor(
    dataSource: DataSource,
    private readonly limits: SearchLimits,
  ) {
    const { searchesMax, searchConnectionsMax, searchTimeoutSeconds } = limits;
    this.sql = new SearchSql(dataSource, {
      connectionsMax: searchConnectionsMax,
      timeoutMs: searchTimeoutSeconds * 1_000,
    });
    this.searches = new Semaphore(atMost(Math.max(searchConnectionsMax - 1, 1)));
    this.searchesByDirectory = new Semaphores(atMost(searchesMax));
    this.pagesByDirectory = new Semaphores(atMost(2 * searchesMax));
  }

  /**
   * Runs the statements of a query of a directory.
   *
   * @throws ScimError 400 `tooMany` for a search that takes longer than the limit
   * @throws DomainError `unavailable` for a page that does, and for whatever waits for a lock: the
   *   database is slow, not the query
   * @throws DomainError `rate_limited` if the directory has too many queries at once
   */
  async run<T>(
    directoryId: string,
    queryClass: Exclude<QueryClass, 'lookup'>,
    work: (sql: SqlExecutor) => Promise<T>,
  ): Promise<T> {
    if (queryClass === 'page') {
      return this.pagesByDirectory.run(directoryId, () => work(this.sql));
    }
    return this.searchesByDirectory.run(directoryId, () =>
      this.searches.run(() => this.limited(work)),
    );
  }

  close(): Promise<void> {
    return this.sql.close();
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

function atMost(max: number): SemaphoreOptions {
  return {
    max,
    waitMsMax: WAIT_MS_MAX,
    waitingMax: WAITING_MAX,
    refusal: () => new DomainError(SyncErrors.TOO_MANY_SEARCHES, { retryAfterSeconds: 1 }),
  };
}
