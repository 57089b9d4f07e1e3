/**
 * Gives users the roles of changed rules, in batches. A batch is one transaction: the roles with their
 * events, and the position in the mapping, so that a process that ends leaves a whole batch behind or
 * none of it. Batches and changes of memberships lock the mapping, so any number of processes may work.
 */
import { type Sql } from '@gatehouse/kit/sql';
import { type DirectoryRepository } from '../directories/directory.repository.js';
import * as effective from './effective.sql.js';
import * as statements from './mapping.sql.js';
import { type MappingState } from './role.types.js';

export interface RoleJobsContext {
  sql: Sql;
  directories: Pick<DirectoryRepository, 'lockForEndpoints'>;
  wakeLane: (directoryId: string) => void;
}

interface Due {
  position: string;
  state: MappingState;
}

interface Processed {
  processed: number;
  position: string | null;
  changed: number;
}

/** A batch takes some tens of milliseconds, in which other changes of the directory wait. */
const BATCH_USERS = 1_000;
const DUE_MAX = 100;

export class RoleJobs {
  constructor(
    private readonly context: RoleJobsContext,
    private readonly batchUsers = BATCH_USERS,
  ) {}

  /** Directories whose users wait for roles. */
  async dueIds(): Promise<string[]> {
    const rows = await this.context.sql.rows<{ id: string }>(statements.DUE_MAPPINGS, [DUE_MAX]);
    return rows.map(({ id }) => id);
  }

  /**
   * Goes on with a directory until all users have their roles, the time is over or the signal aborts.
   *
   * @returns whether nothing is left to do
   */
  async run(directoryId: string, budgetMs: number, signal?: AbortSignal): Promise<boolean> {
    const deadline = performance.now() + budgetMs;
    for (;;) {
      if (performance.now() > deadline || signal?.aborted) return false;
      const { changed, end } = await this.step(directoryId);
      if (changed > 0) this.context.wakeLane(directoryId);
      if (end === 'removed') await this.remove(directoryId);
      if (end) return true;
    }
  }

  /** Processes the next batch. */
  private step(directoryId: string): Promise<{ changed: number; end?: 'done' | 'removed' }> {
    return this.context.sql.transaction(async (sql) => {
      const [due] = await sql.rows<Due>(statements.LOCK_DUE, [directoryId]);
      if (!due) return { changed: 0, end: 'done' };
      const values = [directoryId, null, due.position, this.batchUsers];
      const [row] = await sql.rows<Processed>(effective.PROCESS_USERS, values);
      const { processed, position, changed } = row as Processed;
      if (position !== null) {
        await sql.rows(statements.SAVE_POSITION, [directoryId, position, processed, changed]);
      }
      if (processed === this.batchUsers) return { changed };
      if (due.state === 'removing') return { changed, end: 'removed' };
      if (due.state === 'applied') await sql.rows(statements.DELETE_ORPHANS, [directoryId]);
      await sql.rows(statements.FINISH, [directoryId]);
      return { changed, end: 'done' };
    });
  }

  /** Ends a mapping whose roles are all gone. The directory is locked first, as for other changes of it. */
  private async remove(directoryId: string): Promise<void> {
    const { sql: pool, directories } = this.context;
    await pool.transaction(async (sql) => {
      await directories.lockForEndpoints(sql, directoryId);
      const [due] = await sql.rows<Due>(statements.LOCK_DUE, [directoryId]);
      if (due?.state !== 'removing') return;
      await sql.rows(statements.DELETE_ROLES, [directoryId]);
      await sql.rows(statements.DELETE_MAPPING, [directoryId]);
      await sql.rows(statements.SET_MAPS_ROLES, [directoryId, false]);
    });
  }
}
