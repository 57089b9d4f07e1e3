/** Role mappings of directories: which roles the groups of an identity provider give to users. */
import {
  adminEventOf,
  type AuditEvents,
  type CallContext,
  invalidField,
  isUuid,
  type Sql,
  type SqlExecutor,
  uuidv7,
} from '@gatehouse/service-kit';
import { LIBRARY_CALL } from '../audit/audit-table.js';
import { type DirectoryRepository } from '../directories/directory.repository.js';
import { NO_DIRECTORY } from '../directories/directory.sql.js';
import { type RoleJobs } from '../roles/role-jobs.js';
import {
  compareUsers,
  findMapping,
  listRules,
  storeMapping,
  storePreview,
  TooManyGroupsError,
} from '../roles/role.repository.js';
import {
  type MappingState,
  type RoleMapping,
  type RoleMappingView,
  type RolePreview,
} from '../roles/role.types.js';
import { type SyncLogger } from '../sync-logger.js';
import { notFound, type Result, resultOf } from './result.js';
import { readRoleMapping } from './role-mapping.input.js';

export interface RoleMappingsContext {
  sql: Sql;
  audit: AuditEvents;
  directories: DirectoryRepository;
  jobs: RoleJobs;
  logger: SyncLogger;
}

/** What a change of rules does at once; the worker does the rest. */
const APPLY_BUDGET_MS = 1_000;
const PREVIEW_BUDGET_MS = 8_000;
const PREVIEW_BATCH_USERS = 5_000;
const EXAMPLES_MAX = 100;
const NONE: RoleMapping = { default_role: null, mode: 'all', rules: [] };

/** The `roleMappings` operations of the controller object. */
export class RoleMappings {
  constructor(private readonly context: RoleMappingsContext) {}

  /** The mapping of a directory, and how far it is applied. 404 if it has none. */
  get(directoryId: string): Promise<Result<RoleMappingView>> {
    return this.operation(async () => {
      await this.require(directoryId);
      return this.view(directoryId);
    });
  }

  /**
   * Sets the whole mapping. Users get the roles of a large directory in the background; changes of
   * groups have the roles of the new rules at once.
   */
  put(
    directoryId: string,
    mapping: unknown,
    call: CallContext = LIBRARY_CALL,
  ): Promise<Result<RoleMappingView>> {
    return this.operation(async () => {
      const read = readRoleMapping(mapping);
      const details = { rules: read.rules.length };
      await this.store(directoryId, read, 'applying', { type: CHANGED, details }, call);
      return this.view(directoryId);
    });
  }

  /** Takes all roles away, with the events of it; then the directory has no mapping. */
  delete(directoryId: string, call: CallContext = LIBRARY_CALL): Promise<Result<null>> {
    return this.operation(async () => {
      await this.require(directoryId);
      if (!(await findMapping(this.context.sql, directoryId))) throw noMapping();
      await this.store(directoryId, NONE, 'removing', { type: DELETED }, call);
      return null;
    });
  }

  /** What a mapping would change, without changing it. Nothing waits for it. */
  preview(directoryId: string, mapping: unknown): Promise<Result<RolePreview>> {
    return this.operation(async () => {
      const read = readRoleMapping(mapping);
      await this.require(directoryId);
      const undone = new Error('The preview is rolled back.');
      let preview: RolePreview | undefined;
      try {
        await this.context.sql.transaction(async (sql) => {
          preview = await previewOf(sql, directoryId, read);
          throw undone;
        });
      } catch (error) {
        if (error !== undone) throw readable(error);
      }
      return preview as RolePreview;
    });
  }

  private async store(
    directoryId: string,
    mapping: RoleMapping,
    state: MappingState,
    change: { type: string; details?: { rules: number } },
    call: CallContext,
  ): Promise<void> {
    const { sql: pool, directories, audit, jobs, logger } = this.context;
    if (!isUuid(directoryId)) throw absent();
    try {
      await pool.transaction(async (sql) => {
        if (!(await directories.lockForEndpoints(sql, directoryId))) throw absent();
        await storeMapping(sql, directoryId, mapping, state);
        await audit.insert([adminEventOf({ ...change, targetId: directoryId }, call)], sql);
      });
    } catch (error) {
      throw readable(error);
    }
    await jobs.run(directoryId, APPLY_BUDGET_MS).catch((error: unknown) => {
      logger.warn({ err: error, directoryId }, 'roles are left to the worker');
    });
  }

  private async view(directoryId: string): Promise<RoleMappingView> {
    const { sql } = this.context;
    const stored = await findMapping(sql, directoryId);
    if (!stored) throw noMapping();
    const { default_role, mode, updated_at, applied_at, ...progress } = stored;
    return {
      ...{ default_role, mode, rules: await listRules(sql, directoryId) },
      progress: {
        ...progress,
        updated_at: updated_at.toISOString(),
        applied_at: applied_at?.toISOString() ?? null,
      },
    };
  }

  private async require(id: string): Promise<void> {
    const directory = isUuid(id) ? await this.context.directories.access(id) : undefined;
    if (!directory) throw absent();
  }

  private operation<T>(work: () => Promise<T>): Promise<Result<T>> {
    return resultOf(this.context.logger, work);
  }
}

const CHANGED = 'directory.role_mapping_changed';
const DELETED = 'directory.role_mapping_deleted';

const absent = () => notFound('Directory not found.');
const noMapping = () => notFound('The directory has no role mapping.');

function readable(error: unknown): unknown {
  return error instanceof TooManyGroupsError ? invalidField('rules', error.message) : error;
}

/** Compares users until the time is over. What it stores must be rolled back. */
async function previewOf(
  sql: SqlExecutor,
  directoryId: string,
  mapping: RoleMapping,
): Promise<RolePreview> {
  const deadline = performance.now() + PREVIEW_BUDGET_MS;
  const id = uuidv7();
  await storePreview(sql, id, directoryId, mapping);
  const groups = (await listRules(sql, id)).map((rule) => rule.groups);
  const roles = new Map<string, RolePreview['roles'][number]>();
  const preview: RolePreview = {
    ...{ users: 0, is_complete: false, users_changed: 0, roles: [], groups, examples: [] },
  };
  let position: string | null = NO_DIRECTORY;
  while (position !== null && performance.now() < deadline) {
    const limits = {
      users: PREVIEW_BATCH_USERS,
      examples: EXAMPLES_MAX - preview.examples.length,
    };
    const batch = await compareUsers(sql, directoryId, id, position, limits);
    preview.users += batch.processed;
    preview.users_changed += batch.changed;
    preview.examples.push(...batch.examples);
    for (const { role, gained, lost } of batch.roles) {
      const sum = roles.get(role) ?? { role, gained: 0, lost: 0 };
      roles.set(role, { role, gained: sum.gained + gained, lost: sum.lost + lost });
    }
    position = batch.processed < PREVIEW_BATCH_USERS ? null : batch.position;
  }
  preview.is_complete = position === null;
  preview.roles = [...roles.values()].sort((a, b) => (a.role < b.role ? -1 : 1));
  return preview;
}
