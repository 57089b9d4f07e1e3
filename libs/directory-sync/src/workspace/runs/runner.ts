/**
 * Carries out runs of workspace directories. A run is a row, so that any process can go on with it
 * where another one stopped. A step is one page of the listing, or one batch of differences.
 */
import { uuidv7 } from '@gatehouse/kit/ids';
import { WorkspaceError, type WorkspaceSession } from '@gatehouse/workspace-providers';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import { type DirectoryAccess } from '../../directories/directory.types.js';
import { type ScimEngine, type ScimScope } from '../../scim/protocol/scim.types.js';
import { StaleCacheError } from '../../scim/protocol/stale-cache.error.js';
import { type WriteLog } from '../../scim/protocol/write-log.js';
import { type SyncLogger } from '../../sync-logger.js';
import { type GuardRepository } from '../../guard/guard.repository.js';
import { applyBatch } from './applying.js';
import { DEFAULT_BOUNDS, type ListingBounds } from './bounds.js';
import { checkChanges, FULL_LISTING_SECONDS } from './changes.js';
import { clearOld } from './clearing.js';
import { compareMembers } from './comparing.js';
import { listPage } from './listing.js';
import { planRun } from './plan.js';
import { type Lease, NOT_ACTIVE, RunLostError, type RunRepository } from './run.repository.js';
import { RunRefusal } from './run.refusal.js';
import { type Run } from './run.types.js';
import { withDefaults, type WorkspaceSettings } from './settings.types.js';

/** Opens access to a directory at its provider. */
export interface WorkspaceSessions {
  /** @throws WorkspaceError `needs_authorization` if the directory is not connected */
  open(directoryId: string): Promise<WorkspaceSession>;
}

export interface RunnerContext {
  runs: RunRepository;
  guards: GuardRepository;
  sessions: WorkspaceSessions;
  directories: DirectoryRepository;
  /** The scope of SCIM services for a directory. */
  scopeOf: (directory: DirectoryAccess, sql: ScimEngine['sql'], wantsEvents: boolean) => ScimScope;
  wakeLane: (directoryId: string, isLinked: boolean) => void;
  logger: SyncLogger;
  /** The ratio of a directory without its own. */
  maxDeleteRatio: number;
  /** Bounds of one listing. */
  bounds?: ListingBounds;
  /** Pages of one run; a listing with more does not end. */
  pagesMax?: number;
  /** After this time, nothing but a whole listing will do; 0: each run lists. */
  fullListingSeconds?: number;
  leaseSeconds?: number;
  batchSize?: number;
}

export interface RunCall {
  /** Ends the call at the next page or batch. */
  signal: AbortSignal;
  /** A call that takes longer ends at the next page or batch, so that other directories get a turn. */
  turnSeconds?: number;
  /** Gets what each commit wrote, and is awaited. */
  written?: (log: WriteLog, directory: DirectoryAccess) => Promise<void>;
}

/**
 * `ended`: it is finished or held; `yielded`: there is more to do; `waiting`: it goes on later, because
 * the provider asked for a pause; `busy`: it is not due, or another process works on it.
 */
export type RunEnd = 'ended' | 'yielded' | 'waiting' | 'busy';

const LEASE_SECONDS = 15;
const BATCH_SIZE = 50;
/** Pauses double from a minute to an hour; after these, the run has failed. */
const SETBACKS_MAX = 8;
const PAUSE_SECONDS = 60;
const PAUSE_SECONDS_MAX = 3_600;
/** A provider that asks for more is asked again after this time. */
const ASKED_PAUSE_SECONDS_MAX = 86_400;
/** Many times the pages of a large workspace, which has one for the members of each group. */
const PAGES_MAX = 500_000;

/** State shared by the steps of one call. */
interface Turn {
  lease: Lease;
  directory: DirectoryAccess;
  settings: WorkspaceSettings;
  call: RunCall;
  session?: WorkspaceSession;
  /** Whether the provider was asked for changes. */
  isChecked?: boolean;
  /** Whether what failed runs have left behind is deleted. */
  isCleared?: boolean;
}

export class Runner {
  constructor(private readonly context: RunnerContext) {}

  /** Goes on with a run until it ends. Rejects only if the database is not available. */
  async run(id: string, call: RunCall): Promise<RunEnd> {
    const { runs, leaseSeconds = LEASE_SECONDS } = this.context;
    const lease = { holder: uuidv7(), seconds: leaseSeconds };
    const claimed = await runs.claim(id, lease);
    if (!claimed) return 'busy';
    const renewal = setInterval(
      () => {
        // Without a lease, the next step does nothing.
        runs.renew(id, lease).catch(() => undefined);
      },
      (leaseSeconds * 1_000) / 3,
    );
    const progress = { run: claimed };
    try {
      return await this.turn(progress, lease, call);
    } catch (error) {
      return await this.fail(progress.run, lease, call, error);
    } finally {
      clearInterval(renewal);
    }
  }

  private async turn(progress: { run: Run }, lease: Lease, call: RunCall): Promise<RunEnd> {
    const { runs, directories } = this.context;
    const { directoryId } = progress.run;
    const directory = await directories.access(directoryId);
    if (!directory || directory.deactivated) {
      await runs.end(progress.run, lease, 'failed', NOT_ACTIVE);
      return 'ended';
    }
    const turn: Turn = { lease, directory, call, settings: withDefaults(progress.run.settings) };
    const endsAt = performance.now() + (call.turnSeconds ?? Infinity) * 1_000;
    while (progress.run.phase !== 'finish') {
      if (call.signal.aborted || performance.now() > endsAt) {
        await runs.release(progress.run, lease);
        return 'yielded';
      }
      if (progress.run.phase === 'hold') {
        await runs.end(progress.run, lease, 'held', heldMessage(progress.run));
        return 'ended';
      }
      progress.run = await this.step(progress.run, turn);
    }
    await runs.end(progress.run, lease, 'succeeded', failureMessage(progress.run));
    return 'ended';
  }

  private async step(run: Run, turn: Turn): Promise<Run> {
    const { runs, maxDeleteRatio, batchSize = BATCH_SIZE, pagesMax = PAGES_MAX } = this.context;
    const { bounds = DEFAULT_BOUNDS } = this.context;
    const { lease, settings, call, directory } = turn;
    const { signal } = call;
    if (run.state === 'applying') {
      const scopeOf = (sql: ScimEngine['sql']) =>
        this.context.scopeOf(directory, sql, call.written !== undefined);
      const written = (log: WriteLog) => this.announce(log, turn);
      const { guards } = this.context;
      return applyBatch(
        { runs, guards, lease, settings, batchSize, scopeOf, written, signal },
        run,
      );
    }
    if (run.phase === 'plan') {
      const compared = await compareMembers({ runs, lease, settings, bounds }, run);
      return compared ?? planRun(runs, run, lease, settings, maxDeleteRatio);
    }
    if (run.pages >= pagesMax) throw endless(pagesMax);
    const session = (turn.session ??= await this.context.sessions.open(run.directoryId));
    if (run.pages === 0 && !turn.isChecked) {
      turn.isChecked = true;
      const { fullListingSeconds = FULL_LISTING_SECONDS } = this.context;
      return checkChanges({ runs, lease, session, fullListingSeconds, signal }, run);
    }
    if (run.pages === 0 && !turn.isCleared) {
      turn.isCleared = await clearOld(runs, run);
      return run;
    }
    return listPage({ runs, lease, session, settings, bounds, signal }, run);
  }

  private async announce(log: WriteLog, { directory, call }: Turn): Promise<void> {
    if (directory.isSending) this.context.wakeLane(directory.id, directory.isLinked);
    await call.written?.(log, directory);
  }

  private async fail(run: Run, lease: Lease, call: RunCall, error: unknown): Promise<RunEnd> {
    const { runs, logger } = this.context;
    if (error instanceof RunLostError) return 'busy';
    if (call.signal.aborted) {
      await runs.release(run, lease);
      return 'yielded';
    }
    if (error instanceof StaleCacheError) {
      await runs.end(run, lease, 'failed', 'The directory was deleted.');
      return 'ended';
    }
    if (error instanceof RunRefusal) {
      await runs.end(run, lease, 'failed', error.message);
      return 'ended';
    }
    const isOfProvider = error instanceof WorkspaceError;
    if (!isOfProvider) logger.error({ err: error, runId: run.id }, 'workspace run interrupted');
    const message = isOfProvider ? error.message : INTERNAL;
    const isLasting = isOfProvider && !PASSING.has(error.kind);
    if (isLasting || run.setbacks >= SETBACKS_MAX) {
      await runs.end(run, lease, 'failed', message);
      return 'ended';
    }
    const doubled = Math.min(PAUSE_SECONDS * 2 ** run.setbacks, PAUSE_SECONDS_MAX);
    const asked = (isOfProvider ? error.retryAfterSeconds : null) ?? 0;
    const pause = Math.max(Math.min(asked, ASKED_PAUSE_SECONDS_MAX), doubled);
    await runs.release({ ...run, setbacks: run.setbacks + 1 }, lease, pause, message);
    return 'waiting';
  }
}

const PASSING = new Set<WorkspaceError['kind']>(['rate_limited', 'unavailable']);
const INTERNAL = 'The run was interrupted by an internal error and will be tried again.';

function endless(pages: number): RunRefusal {
  return new RunRefusal(`The provider sent ${pages} pages, and the listing did not end.`);
}

function heldMessage({ holdReasons }: Run): string {
  return holdReasons.map(({ message }) => message).join(' ');
}

function failureMessage({ counts: { failed } }: Run): string | null {
  return failed === 0 ? null : `Users or groups that could not be stored: ${failed}.`;
}
