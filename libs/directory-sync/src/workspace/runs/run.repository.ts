/**
 * Runs of workspace directories. A run is a row that a process leases; all that it writes is in
 * transactions that renew the lease first, so that a process that lost a run can change nothing.
 */
import { type DirectoryNoticeType } from '@gatehouse/schemas';
import { uuidv7 } from '@gatehouse/kit/ids';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { insertNotice, type NoticedDirectory } from '../../directories/directory-notices.js';
import { FORGET_TOKENS } from './change.sql.js';
import * as statements from './run.sql.js';
import { RunRefusal } from './run.refusal.js';
import {
  FIRST_PHASE,
  type HoldReason,
  NO_COUNTS,
  type Run,
  type RunProgress,
  type RunRow,
  type RunTrigger,
} from './run.types.js';

/** Another process has taken over the run, or it was ended: leave it alone. */
export class RunLostError extends Error {
  override readonly name = 'RunLostError';
}

export const NOT_ACTIVE = 'The directory is not active.';

/** Finished runs of a directory that are kept. */
const KEPT_RUNS = 100;

/** The newest run, with the times of the last ones that succeeded and failed. */
export type LastRun = RunRow & { lastSuccessAt: Date | null; lastErrorAt: Date | null };

export interface Lease {
  holder: string;
  seconds: number;
}

export class RunRepository {
  constructor(readonly sql: Sql) {}

  /** Undefined if the directory takes part in no runs, or has an unfinished one. */
  async insert(
    directoryId: string,
    trigger: RunTrigger,
    sql: SqlExecutor = this.sql,
  ): Promise<RunRow | undefined> {
    const values = [uuidv7(), directoryId, trigger, FIRST_PHASE, NO_COUNTS];
    const [run] = await sql.rows<RunRow>(statements.INSERT_RUN, values);
    return run;
  }

  /**
   * Starts a run of each directory without an unfinished one, spread over some seconds. With `since`,
   * only of directories that are older than this time and had no run after it.
   */
  insertAll(
    trigger: RunTrigger,
    jitterSeconds: number,
    since: Date | null,
    sql: SqlExecutor = this.sql,
  ): Promise<{ id: string; directoryId: string }[]> {
    const values = [trigger, FIRST_PHASE, NO_COUNTS, jitterSeconds, since];
    return sql.rows(statements.INSERT_RUNS_OF_ALL, values);
  }

  /** The directories that take part in runs, the oldest first. */
  async directoryIds(): Promise<string[]> {
    const rows = await this.sql.rows<{ id: string }>(statements.SYNCED_DIRECTORIES);
    return rows.map(({ id }) => id);
  }

  async find(directoryId: string, id: string): Promise<RunRow | undefined> {
    const [run] = await this.sql.rows<RunRow>(statements.FIND_RUN, [id, directoryId]);
    return run;
  }

  async findUnfinished(
    directoryId: string,
    sql: SqlExecutor = this.sql,
  ): Promise<RunRow | undefined> {
    const [run] = await sql.rows<RunRow>(statements.FIND_UNFINISHED, [directoryId]);
    return run;
  }

  list(directoryId: string, offset: number, limit: number): Promise<RunRow[]> {
    return this.sql.rows(statements.LIST_RUNS, [directoryId, offset, limit]);
  }

  async findLast(directoryId: string): Promise<LastRun | undefined> {
    const [run] = await this.sql.rows<LastRun>(statements.FIND_LAST, [directoryId]);
    return run;
  }

  /** Runs that wait for a process. */
  async dueIds(limit: number): Promise<string[]> {
    const rows = await this.sql.rows<{ id: string }>(statements.DUE_RUNS, [limit]);
    return rows.map(({ id }) => id);
  }

  /** Takes the lease of a run. Undefined if it is not due, or another process works on it. */
  async claim(id: string, { holder, seconds }: Lease): Promise<Run | undefined> {
    const [run] = await this.sql.rows<RunRow>(statements.CLAIM_RUN, [id, holder, seconds]);
    return run;
  }

  async renew(id: string, { holder, seconds }: Lease): Promise<void> {
    await this.sql.rows(statements.RENEW_LEASE, [id, holder, seconds]);
  }

  /** Gives a run back for another process, or for this one, to go on with. */
  async release(
    { id, setbacks }: Run,
    { holder }: Lease,
    pauseSeconds = 0,
    error: string | null = null,
  ): Promise<void> {
    await this.sql.rows(statements.RELEASE_RUN, [id, holder, pauseSeconds, setbacks, error]);
  }

  /**
   * Runs `work` in a transaction that saves the progress it makes.
   *
   * @throws RunLostError, or RunRefusal once the directory is deactivated or deleted
   */
  save<T extends RunProgress>(
    run: Run,
    { holder, seconds }: Lease,
    work: (sql: SqlExecutor) => Promise<T>,
  ): Promise<T> {
    return this.sql.transaction(async (sql) => {
      const values = [run.id, holder, seconds];
      const [held] = await sql.rows<{ isActive: boolean }>(statements.RENEW_LEASE, values);
      if (!held) throw new RunLostError();
      if (!held.isActive) throw new RunRefusal(NOT_ACTIVE);
      const next = await work(sql);
      await sql.rows(statements.SAVE_PROGRESS, [run.id, holder, seconds, ...progressValues(next)]);
      return next;
    });
  }

  /** Ends or holds a run, with a notice for operators if that changes the state of the directory. */
  async end(
    run: Run,
    { holder }: Lease,
    state: 'succeeded' | 'failed' | 'held',
    error: string | null,
  ): Promise<void> {
    await this.sql.transaction(async (sql) => {
      const values = [run.id, holder, state, error, run.counts];
      const ended = await sql.rows(statements.END_RUN, values);
      if (ended.length === 0) throw new RunLostError();
      if (state !== 'held') {
        await sql.rows(statements.DELETE_OLD_RUNS, [run.directoryId, KEPT_RUNS]);
        await sql.rows(FORGET_TOKENS, [run.directoryId, run.id]);
      }
      const notice = await this.noticeOf(sql, run, state);
      if (notice) await notify(sql, notice, run, error);
    });
  }

  /**
   * The unfinished run of a SCIM directory, which stays locked; a new held one, with a notice, if there
   * was none. Undefined if it has just ended.
   */
  async hold(
    directoryId: string,
    reason: HoldReason,
    sql: SqlExecutor,
  ): Promise<Pick<RunRow, 'id' | 'state'> | undefined> {
    const id = uuidv7();
    const { message } = reason;
    const values = [id, directoryId, NO_COUNTS, JSON.stringify([reason]), message];
    type Found = Pick<RunRow, 'id' | 'state'>;
    const [created] = await sql.rows<Found>(statements.INSERT_HELD_RUN, values);
    if (created) await notify(sql, 'directory.sync_held', { id, directoryId }, message);
    if (created) return created;
    const [unfinished] = await sql.rows<Found>(statements.LOCK_UNFINISHED, [directoryId]);
    return unfinished;
  }

  /** @returns undefined if the run is not held */
  async decide(
    directoryId: string,
    id: string,
    decision: Pick<RunProgress, 'state' | 'phase'>,
    sql: SqlExecutor,
  ): Promise<RunRow | undefined> {
    const values = [id, directoryId, decision.state, decision.phase];
    const [run] = await sql.rows<RunRow>(statements.DECIDE_RUN, values);
    return run;
  }

  private async noticeOf(
    sql: SqlExecutor,
    run: Run,
    state: string,
  ): Promise<DirectoryNoticeType | undefined> {
    if (state === 'held') return 'directory.sync_held';
    if (state !== 'failed') return undefined;
    const values = [run.directoryId, run.id];
    const [before] = await sql.rows<{ state: string }>(statements.PREVIOUS_STATE, values);
    return before?.state === 'failed' ? undefined : 'directory.sync_failed';
  }
}

async function notify(
  sql: SqlExecutor,
  type: DirectoryNoticeType,
  { id, directoryId }: Pick<Run, 'id' | 'directoryId'>,
  reason: string | null,
): Promise<void> {
  const [directory] = await sql.rows<NoticedDirectory>(statements.NOTICE_DIRECTORY, [directoryId]);
  if (directory) await insertNotice(sql, type, directory, { run_id: id, reason });
}

function progressValues(progress: RunProgress): unknown[] {
  return [
    progress.state,
    progress.phase,
    progress.position,
    progress.pageToken,
    progress.secondRound,
    progress.counts,
    progress.pages,
    progress.apiCalls,
    progress.setbacks,
    JSON.stringify(progress.holdReasons),
    progress.amounts,
    progress.changeToken,
    progress.unchangedSince,
  ];
}
