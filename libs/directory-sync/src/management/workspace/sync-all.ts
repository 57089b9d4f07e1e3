/** Synchronizes every workspace directory in this process: `sync(callback)` of the controller object. */
import { type DirectoryAccess } from '../../directories/directory.types.js';
import { eventPayload } from '../../events/event.view.js';
import { type WriteLog } from '../../scim/protocol/write-log.js';
import { type EventCallback } from '../../scim/requests/scim-requests.js';
import { type SyncLogger } from '../../sync-logger.js';
import { type RunRepository } from '../../workspace/runs/run.repository.js';
import { type RunCounts, type RunState } from '../../workspace/runs/run.types.js';
import { type Runner } from '../../workspace/runs/runner.js';

/** The result for one directory. */
export interface SyncEntry {
  directory_id: string;
  /** Null if a run of another process is under way, or held. */
  run_id: string | null;
  state: RunState | null;
  counts: RunCounts | null;
  /** Null if all went well. */
  error: string | null;
}

export interface SyncAllContext {
  runs: RunRepository;
  runner: Runner;
  logger: SyncLogger;
}

const NEVER = new AbortController().signal;

/**
 * Runs one directory after the other. The callback gets each event after its commit, in order, and is
 * awaited; one that throws is logged, because the change is committed. A failing directory stops no
 * other.
 */
export async function syncAll(
  context: SyncAllContext,
  callback?: EventCallback,
): Promise<SyncEntry[]> {
  const entries: SyncEntry[] = [];
  for (const id of await context.runs.directoryIds()) {
    entries.push(await syncOne(context, id, callback));
  }
  return entries;
}

async function syncOne(
  { runs, runner, logger }: SyncAllContext,
  directoryId: string,
  callback?: EventCallback,
): Promise<SyncEntry> {
  const none = { directory_id: directoryId, run_id: null, state: null, counts: null };
  try {
    const started = await runs.insert(directoryId, 'callback');
    if (!started) return { ...none, error: await whyNot(runs, directoryId) };
    const written = async (log: WriteLog, directory: DirectoryAccess) => {
      for (const row of log.events) {
        try {
          await callback?.(eventPayload(row, directory));
        } catch (error) {
          logger.error({ err: error, eventId: row.id }, 'event callback failed');
        }
      }
    };
    await runner.run(started.id, callback ? { signal: NEVER, written } : { signal: NEVER });
    const run = (await runs.find(directoryId, started.id)) ?? started;
    const { id, state, counts, error } = run;
    return { directory_id: directoryId, run_id: id, state, counts, error };
  } catch (error) {
    logger.error({ err: error, directoryId }, 'workspace directory not synchronized');
    return { ...none, error: 'The database is not available.' };
  }
}

async function whyNot(runs: RunRepository, directoryId: string): Promise<string> {
  const run = await runs.findUnfinished(directoryId);
  return run?.state === 'held'
    ? `Run ${run.id} is held. Approve or discard it first.`
    : 'Another run of the directory is under way.';
}
