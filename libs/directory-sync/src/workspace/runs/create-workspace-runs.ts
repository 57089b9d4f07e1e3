import { sqlOf } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';
import { DirectoryRepository } from '../../directories/directory.repository.js';
import { Quotas } from '../../quotas/quotas.js';
import { type Usage } from '../../quotas/usage.js';
import { DEFAULT_LIMITS, DEFAULT_QUOTA } from '../../scim/protocol/default-limits.js';
import { Searches } from '../../searches/searches.js';
import { type SyncLogger } from '../../sync-logger.js';
import { DEFAULT_BOUNDS, type ListingBounds } from './bounds.js';
import { createRunner } from './create-runner.js';
import { RunRepository } from './run.repository.js';
import { type RunCall, type RunEnd, type WorkspaceSessions } from './runner.js';

export interface WorkspaceRunsOptions {
  dataSource: DataSource;
  sessions: WorkspaceSessions;
  /** Quota of one directory. */
  quota?: Partial<Usage>;
  /** Bounds of one listing, beside the quota. */
  bounds?: Partial<Pick<ListingBounds, 'memberships' | 'nestedGroups'>>;
  maxDeleteRatio: number;
  /** After this time, a directory is listed even if its provider says that nothing has changed. */
  fullListingSeconds?: number;
  wakeLane: (directoryId: string, isLinked: boolean) => void;
  logger: SyncLogger;
}

const DUE_MAX = 100;

/** Runs of workspace directories for a worker. */
export function createWorkspaceRuns(options: WorkspaceRunsOptions) {
  const { dataSource, sessions, maxDeleteRatio, wakeLane, logger } = options;
  const { fullListingSeconds } = options;
  const sql = sqlOf(dataSource);
  const runs = new RunRepository(sql);
  const searches = new Searches(dataSource, DEFAULT_LIMITS);
  const quotas = new Quotas(sql, { ...DEFAULT_QUOTA, ...options.quota }, logger);
  const runner = createRunner({
    sql,
    searches,
    quotas,
    limits: DEFAULT_LIMITS,
    sessions,
    maxDeleteRatio,
    fullListingSeconds,
    wakeLane,
    logger,
    directories: new DirectoryRepository(dataSource, sql),
    bounds: { ...DEFAULT_BOUNDS, ...options.quota, ...options.bounds },
    // No list is read, and no address of a resource is shown.
    cursorKey: Buffer.alloc(0),
    externalUrl: '',
  });
  return {
    /** Goes on with a run until it ends, its turn is over or the signal aborts. */
    run: (id: string, call: RunCall): Promise<RunEnd> => runner.run(id, call),

    /** Starts the runs that a schedule asks for since its last time, spread over some seconds. */
    startScheduled: async (since: Date, jitterSeconds: number): Promise<void> => {
      await runs.insertAll('schedule', jitterSeconds, since);
    },

    /** Runs that wait for a worker. */
    dueIds: (): Promise<string[]> => runs.dueIds(DUE_MAX),

    /** Gives reserved quota back. */
    close: async (): Promise<void> => {
      await quotas.close();
      await searches.close();
    },
  };
}

export type WorkspaceRuns = ReturnType<typeof createWorkspaceRuns>;
