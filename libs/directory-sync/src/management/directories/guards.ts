/** The guards of SCIM directories: which removals of an identity provider wait for a decision. */
import { adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { LIBRARY_CALL } from '../../audit/audit-table.js';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import { type DirectoryAccess } from '../../directories/directory.types.js';
import { type Guard } from '../../guard/guard.js';
import { type GuardRepository } from '../../guard/guard.repository.js';
import { type GuardSettings, NO_GUARD } from '../../guard/guard.types.js';
import { type RunRepository } from '../../workspace/runs/run.repository.js';
import { namesOf, ratioOf } from '../../workspace/runs/settings.input.js';
import { notFound } from '../../sync.errors.js';
import { STRICT } from '../body.input.js';

export interface GuardsContext {
  sql: Sql;
  audit: AuditEvents;
  directories: DirectoryRepository;
  guards: GuardRepository;
  guard: Guard;
  runs: RunRepository;
}

const WINDOW_SECONDS = { min: 60, max: 30 * 86_400 };

/** The `guards` operations of the controller object. */
export class Guards {
  constructor(private readonly context: GuardsContext) {}

  /** The guard of a SCIM directory; one without limits if none is set. */
  async get(directoryId: string): Promise<GuardSettings> {
    return {
      ...NO_GUARD,
      ...(await this.require(directoryId)).guard,
    };
  }

  /**
   * Changes the given settings; null removes a limit. Without limits, nothing is held any more: a held run
   * is discarded.
   */
  async change(
    directoryId: string,
    changes: Partial<Record<keyof GuardSettings, unknown>>,
    call: CallContext = LIBRARY_CALL,
  ): Promise<GuardSettings> {
    await this.require(directoryId);
    const read = readGuard(changes);
    const { sql, directories, guards, audit } = this.context;
    return sql.transaction(async (executor) => {
      if (!(await directories.lockForEndpoints(executor, directoryId))) throw absent();
      const before = await guards.find(directoryId, executor);
      const next = { ...NO_GUARD, ...before, ...read };
      await guards.store(directoryId, isLimited(next) ? next : null, executor);
      const details = { fields: Object.keys(read) };
      const type = 'directory.guard_changed';
      await audit.insert([adminEventOf({ type, targetId: directoryId, details }, call)], executor);
      if (!isLimited(next)) await this.discardHeld(directoryId, call, executor);
      return next;
    });
  }

  /** Changes of an unguarded directory do not withdraw what was held, so it must not be approved. */
  private async discardHeld(
    directoryId: string,
    call: CallContext,
    executor: SqlExecutor,
  ): Promise<void> {
    const { runs, guard, audit } = this.context;
    const run = await runs.findUnfinished(directoryId, executor);
    const decision = { state: 'discarded', phase: 'remove_held' } as const;
    if (!run || !(await runs.decide(directoryId, run.id, decision, executor))) return;
    await guard.decided(directoryId, 'discarded', executor);
    const details = { run_id: run.id };
    const type = 'directory.sync_discarded';
    await audit.insert([adminEventOf({ type, targetId: directoryId, details }, call)], executor);
  }

  private async require(id: string): Promise<DirectoryAccess> {
    const directory = isUuid(id) ? await this.context.directories.access(id) : undefined;
    if (!directory) throw absent();
    if (directory.type === 'workspace') {
      const description = 'is a workspace directory, which is guarded by its workspace settings';
      throw invalidField('directoryId', description);
    }
    return directory;
  }
}

const absent = () => notFound('Directory not found.');

const isLimited = (settings: GuardSettings) =>
  settings.max_delete_ratio !== null ||
  settings.max_deletes !== null ||
  settings.protected_groups.length > 0 ||
  settings.protected_roles.length > 0;

/** Reads the settings that were sent; null removes a limit. */
function readGuard(changes: unknown): Partial<GuardSettings> {
  const input = InputReader.of(changes, STRICT);
  const fields = Object.keys(NO_GUARD) as (keyof GuardSettings)[];
  input.allow(fields);
  input.nullable(['max_delete_ratio', 'max_deletes']);
  const read: GuardSettings = {
    max_delete_ratio: ratioOf(input, 'max_delete_ratio'),
    max_deletes: input.integer('max_deletes') ?? null,
    protected_groups: namesOf(input, 'protected_groups'),
    protected_roles: namesOf(input, 'protected_roles'),
    window_seconds: input.integer('window_seconds', WINDOW_SECONDS) ?? NO_GUARD.window_seconds,
  };
  const sent = fields.filter((field) => input.isPresent(field));
  input.throwIfInvalid();
  return Object.fromEntries(sent.map((field) => [field, read[field]]));
}
