/** How rules of roles are previewed and changed, by whomever. */
import { type AdminEvent, type AuditEvents } from '@gatehouse/kit/audit';
import { uuidv7 } from '@gatehouse/kit/ids';
import { invalidField } from '@gatehouse/kit/input';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import { NO_DIRECTORY } from '../../directories/directory.sql.js';
import { type RoleJobs } from '../../roles/role-jobs.js';
import {
  compareUsers,
  listRules,
  storePreview,
  TooManyGroupsError,
} from '../../roles/role.repository.js';
import { type RoleMapping, type RolePreview } from '../../roles/role.types.js';
import { type SyncLogger } from '../../sync-logger.js';

export interface RoleChangesContext {
  sql: Sql;
  audit: AuditEvents;
  directories: DirectoryRepository;
  jobs: RoleJobs;
  logger: SyncLogger;
}

/** Time that a rule change applies roles at once; the worker applies the rest. */
const APPLY_BUDGET_MS = 1_000;
const PREVIEW_BATCH_USERS = 5_000;
const EXAMPLES_MAX = 100;

/**
 * Changes the mapping of a directory under its lock, with the audit event that `store` returns. Without one,
 * nothing has changed.
 *
 * @returns false for an unknown directory
 * @throws DomainError 400 if the rules apply to too many groups
 */
export async function changeRoles(
  { sql: pool, directories, audit, jobs, logger }: RoleChangesContext,
  directoryId: string,
  store: (sql: SqlExecutor) => Promise<AdminEvent | undefined>,
): Promise<boolean> {
  const isKnown = await pool
    .transaction(async (sql) => {
      if (!(await directories.lockForEndpoints(sql, directoryId))) return false;
      const event = await store(sql);
      if (event) await audit.insert([event], sql);
      return true;
    })
    .catch((error: unknown) => {
      throw readable(error);
    });
  if (!isKnown) return false;
  await jobs.run(directoryId, APPLY_BUDGET_MS).catch((error: unknown) => {
    logger.warn({ err: error, directoryId }, 'roles are left to the worker');
  });
  return true;
}

/** Previews a mapping without changing anything, and without blocking other requests. */
export async function previewRoles(
  pool: Sql,
  directoryId: string,
  mappingIn: (sql: SqlExecutor) => Promise<RoleMapping>,
  budgetMs: number,
): Promise<RolePreview> {
  const undone = new Error('The preview is rolled back.');
  let preview: RolePreview | undefined;
  try {
    await pool.transaction(async (sql) => {
      preview = await previewOf(sql, directoryId, await mappingIn(sql), budgetMs);
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw readable(error);
  }
  return preview as RolePreview;
}

function readable(error: unknown): unknown {
  return error instanceof TooManyGroupsError ? invalidField('rules', error.message) : error;
}

/** Compares users until the time limit. Its writes must be rolled back. */
async function previewOf(
  sql: SqlExecutor,
  directoryId: string,
  mapping: RoleMapping,
  budgetMs: number,
): Promise<RolePreview> {
  const deadline = performance.now() + budgetMs;
  const id = uuidv7();
  await storePreview(sql, id, directoryId, mapping);
  const groups = (await listRules(sql, id)).map((rule) => rule.groups);
  const roles = new Map<string, RolePreview['roles'][number]>();
  const preview: RolePreview = {
    users: 0,
    is_complete: false,
    users_changed: 0,
    roles: [],
    groups,
    examples: [],
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
