/** Runs of workspace directories: what administrators start, see and decide. */
import { type AdminChange, adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { type Sql } from '@gatehouse/kit/sql';
import { LIBRARY_CALL } from '../../audit/audit-table.js';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import { type DirectoryAccess } from '../../directories/directory.types.js';
import { type Guard } from '../../guard/guard.js';
import { type GuardRepository } from '../../guard/guard.repository.js';
import { STRICT } from '../body.input.js';
import { type Page, pageOf, type PageOf } from '../page.input.js';
import { notFound } from '../../sync.errors.js';
import { heldView } from '../../workspace/runs/held.view.js';
import { type RunRepository } from '../../workspace/runs/run.repository.js';
import { type RunRow } from '../../workspace/runs/run.types.js';
import {
  type RunDetails,
  runDetails,
  type RunView,
  runView,
} from '../../workspace/runs/run.view.js';
import { readSettings } from '../../workspace/runs/settings.input.js';
import { type SettingsRepository } from '../../workspace/runs/settings.repository.js';
import { withDefaults, type WorkspaceSettings } from '../../workspace/runs/settings.types.js';

/** The run under way may end, or the directory change, while another is started. */
const START_ATTEMPTS = 3;

export interface RunOperationsContext {
  sql: Sql;
  audit: AuditEvents;
  directories: DirectoryRepository;
  runs: RunRepository;
  guard: Guard;
  guards: GuardRepository;
  settings: SettingsRepository;
  /** Announces a due run to the worker; a hint that may get lost. */
  wakeRun: (runId: string) => void;
}

/** The `workspaceRuns` operations of the controller object. */
export class WorkspaceRuns {
  constructor(private readonly context: RunOperationsContext) {}

  /**
   * Starts a run, which the worker carries out; the one under way if there is one. 400 unless it is an
   * active workspace directory; 409 while a held run waits for a decision.
   */
  async start(directoryId: string, call: CallContext = LIBRARY_CALL): Promise<RunView> {
    for (let attempt = 0; attempt < START_ATTEMPTS; attempt += 1) {
      const directory = await this.require(directoryId);
      if (directory.deactivated) throw invalidField('directoryId', 'the directory is deactivated');
      const started = await this.insert(directoryId, call);
      const run = started ?? (await this.context.runs.findUnfinished(directoryId));
      if (run?.state === 'held') {
        const message = `Run ${run.id} is held. Approve or discard it first.`;
        throw new DomainError(KitErrors.FAILED_PRECONDITION, { message });
      }
      if (run) {
        this.context.wakeRun(run.id);
        return runView(run);
      }
    }
    throw new DomainError(KitErrors.UNAVAILABLE);
  }

  /** Starts a run of every active workspace directory that has none. */
  async startAll(call: CallContext = LIBRARY_CALL): Promise<{ directories: number }> {
    const { sql, runs, wakeRun } = this.context;
    const started = await sql.transaction(async (executor) => {
      await this.audit('directories.sync_started', '', {}, call, executor);
      return runs.insertAll('demand', 0, null, executor);
    });
    for (const { id } of started) wakeRun(id);
    return { directories: started.length };
  }

  /** The runs of a directory, newest first; the last 100 are kept. */
  async list(directoryId: string, page: Page = {}): Promise<PageOf<RunView>> {
    await this.requireAny(directoryId);
    const { offset, limit } = pageOf(page);
    const rows = await this.context.runs.list(directoryId, offset, limit + 1);
    const items = rows.slice(0, limit).map(runView);
    return { items, nextOffset: rows.length > limit ? offset + limit : null };
  }

  /** One run; of a held one, what it would do. */
  async get(directoryId: string, runId: string): Promise<RunDetails> {
    const { sql, runs, guards } = this.context;
    await this.requireAny(directoryId);
    const run = isUuid(runId) ? await runs.find(directoryId, runId) : undefined;
    if (!run) throw notFound('Run not found.');
    const held = () => heldView(guards, directoryId);
    return runDetails(sql, run, withDefaults(run.settings), held);
  }

  /** Lets a held run go on. 409 for a run that is not held. */
  async approve(
    directoryId: string,
    runId: string,
    call: CallContext = LIBRARY_CALL,
  ): Promise<RunView> {
    const run = await this.decide(directoryId, runId, 'applying', call);
    this.context.wakeRun(run.id);
    return runView(run);
  }

  /** Ends a held run without changes. 409 for a run that is not held. */
  async discard(
    directoryId: string,
    runId: string,
    call: CallContext = LIBRARY_CALL,
  ): Promise<RunView> {
    return runView(await this.decide(directoryId, runId, 'discarded', call));
  }

  async settings(directoryId: string): Promise<WorkspaceSettings> {
    await this.require(directoryId);
    return this.context.settings.find(directoryId);
  }

  /** Changes the given settings, from the next run on; null sets a limit back to its default. */
  async changeSettings(
    directoryId: string,
    changes: Partial<WorkspaceSettings>,
    call: CallContext = LIBRARY_CALL,
  ): Promise<WorkspaceSettings> {
    await this.require(directoryId);
    const input = InputReader.of(changes, STRICT);
    const read = readSettings(input);
    input.throwIfInvalid();
    const { sql, settings, directories } = this.context;
    return sql.transaction(async (executor) => {
      await directories.lockForEndpoints(executor, directoryId);
      const next = { ...(await settings.find(directoryId, executor)), ...read };
      await settings.store(directoryId, next, executor);
      const details = { fields: Object.keys(read) };
      await this.audit(
        'directory.workspace_settings_changed',
        directoryId,
        details,
        call,
        executor,
      );
      return next;
    });
  }

  /** Undefined if the directory takes part in no runs, or has an unfinished one. */
  private insert(directoryId: string, call: CallContext): Promise<RunRow | undefined> {
    const { sql, runs } = this.context;
    return sql.transaction(async (executor) => {
      const run = await runs.insert(directoryId, 'demand', executor);
      const details = { run_id: run?.id ?? '' };
      if (run) await this.audit('directory.sync_started', directoryId, details, call, executor);
      return run;
    });
  }

  private async decide(
    directoryId: string,
    runId: string,
    state: 'applying' | 'discarded',
    call: CallContext,
  ): Promise<RunRow> {
    const { sql, runs, guard } = this.context;
    const directory = await this.requireAny(directoryId);
    const found = isUuid(runId) ? await runs.find(directoryId, runId) : undefined;
    if (!found) throw notFound('Run not found.');
    // The run would fail, and the decision would be spent.
    if (state === 'applying' && directory.deactivated) {
      const message = 'The directory is deactivated. Activate it first.';
      throw new DomainError(KitErrors.FAILED_PRECONDITION, { message });
    }
    const type = state === 'applying' ? 'directory.sync_approved' : 'directory.sync_discarded';
    const decided = await sql.transaction(async (executor) => {
      const decision = { state, phase: 'apply_users' } as const;
      const run = await runs.decide(directoryId, runId, decision, executor);
      if (run?.trigger === 'scim') await guard.decided(directoryId, state, executor);
      if (run) await this.audit(type, directoryId, { run_id: runId }, call, executor);
      return run;
    });
    if (decided) return decided;
    const message = 'The run is not held.';
    throw new DomainError(KitErrors.FAILED_PRECONDITION, { message });
  }

  private async audit(
    type: string,
    targetId: string,
    details: AdminChange['details'],
    call: CallContext,
    executor: Parameters<AuditEvents['insert']>[1],
  ): Promise<void> {
    const event = adminEventOf({ type, targetId, details }, call);
    await this.context.audit.insert([event], executor);
  }

  private async requireAny(id: string): Promise<DirectoryAccess> {
    const directory = isUuid(id) ? await this.context.directories.access(id) : undefined;
    if (!directory) throw notFound('Directory not found.');
    return directory;
  }

  private async require(id: string): Promise<DirectoryAccess> {
    const directory = await this.requireAny(id);
    if (directory.type !== 'workspace') {
      throw invalidField('directoryId', 'is not a workspace directory');
    }
    return directory;
  }
}
