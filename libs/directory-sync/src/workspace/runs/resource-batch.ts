/** Batches of users or groups: what creates, changes, deletes and links them. */
import { ScimError, type ScimResource } from '@gatehouse/scim';
import { inSavepoint, type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import {
  createGroup,
  removeGroup,
  replaceGroupAttributes,
} from '../../scim/groups/group.service.js';
import { refusalOf } from '../../scim/protocol/scim-errors.js';
import {
  type ScimEngine,
  type ScimRequest,
  type ScimScope,
} from '../../scim/protocol/scim.types.js';
import { WriteLog } from '../../scim/protocol/write-log.js';
import { createUser, removeUser, replaceUser } from '../../scim/users/user.service.js';
import * as differences from './difference.sql.js';
import { GROUP_LINKS, USER_LINKS } from './link.sql.js';
import { type RunCounts } from './run.types.js';

/** A listed user or group, and the stored one that it is linked to. */
export interface Differing {
  externalId: string;
  storedId: string | null;
  hash: string;
  resource: ScimResource;
  bytes: number;
}

export interface Gone {
  externalId: string;
  storedId: string;
}

export type ResourceWrite = (
  scope: ScimScope,
  request: ScimRequest,
  id: string,
  log: WriteLog,
) => Promise<unknown>;

export interface ResourceKind {
  changed: Statement;
  gone: Statement;
  links: { link: Statement; fail: Statement; unlink: Statement };
  create: typeof createUser;
  replace: ResourceWrite;
  remove: ResourceWrite;
  counts: Record<'created' | 'updated' | 'deleted', keyof RunCounts>;
}

export const USERS: ResourceKind = {
  changed: differences.CHANGED_USERS,
  gone: differences.GONE_USERS,
  links: USER_LINKS,
  create: createUser,
  replace: replaceUser,
  remove: removeUser,
  counts: { created: 'users_created', updated: 'users_updated', deleted: 'users_deleted' },
};

export const GROUPS: ResourceKind = {
  changed: differences.CHANGED_GROUPS,
  gone: differences.GONE_GROUPS,
  links: GROUP_LINKS,
  create: createGroup,
  replace: replaceGroupAttributes,
  remove: removeGroup,
  counts: { created: 'groups_created', updated: 'groups_updated', deleted: 'groups_deleted' },
};

/** Context in which the changes of a batch are written. */
export interface BatchContext {
  sql: SqlExecutor;
  directoryId: string;
  /** The scope of SCIM services that write in this transaction. */
  scopeOf: (sql: ScimEngine['sql']) => ScimScope;
  log: WriteLog;
}

/**
 * Creates and changes resources. One that cannot be stored, such as a user whose userName is taken, is
 * marked and leaves the others alone.
 */
export async function storeBatch(
  context: BatchContext,
  kind: ResourceKind,
  rows: readonly Differing[],
  before: RunCounts,
): Promise<RunCounts> {
  const { sql, directoryId } = context;
  const counts = { ...before };
  const stored: { row: Differing; id: string }[] = [];
  const refused: { id: string; reason: string }[] = [];
  for (const row of rows) {
    try {
      const { id, change } = await writeOne(context, (scope, log) => store(kind, scope, row, log));
      stored.push({ row, id });
      if (change) counts[kind.counts[change]] += 1;
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      refused.push({ id: row.externalId, reason: refusal.detail });
    }
  }
  const ids = stored.map(({ row }) => row.externalId);
  const hashes = stored.map(({ row }) => row.hash);
  await sql.rows(kind.links.link, [directoryId, ids, stored.map(({ id }) => id), hashes]);
  if (refused.length > 0) {
    const reasons = refused.map(({ reason }) => reason);
    await sql.rows(kind.links.fail, [directoryId, refused.map(({ id }) => id), reasons]);
  }
  return counts;
}

/** Deletes resources with their links. */
export async function deleteBatch(
  context: BatchContext,
  kind: ResourceKind,
  rows: readonly Gone[],
  before: RunCounts,
): Promise<RunCounts> {
  let deleted = 0;
  for (const { storedId } of rows) {
    const isDeleted = await writeOne(context, async (scope, log) => {
      try {
        await kind.remove(scope, requestOf(scope), storedId, log);
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    });
    if (isDeleted) deleted += 1;
  }
  const ids = rows.map(({ externalId }) => externalId);
  await context.sql.rows(kind.links.unlink, [context.directoryId, ids]);
  const name = kind.counts.deleted;
  return { ...before, [name]: before[name] + deleted };
}

/** Runs one write as a part of the transaction; its events count only if it succeeds. */
export async function writeOne<T>(
  { sql, scopeOf, log }: BatchContext,
  write: (scope: ScimScope, log: WriteLog) => Promise<T>,
): Promise<T> {
  const own = new WriteLog();
  const result = await inSavepoint(sql, (joined) => write(scopeOf(joined), own));
  if (own.hasWrites) log.add(own.events);
  return result;
}

/** A request as SCIM services take it; its secret was never asked for. */
export function requestOf(
  { directory }: ScimScope,
  body?: unknown,
  bodyBytes?: number,
): ScimRequest {
  const target = { kind: 'root' } as const;
  const base = { directoryId: directory.id, apiSecret: '', method: '', target, query: {} };
  return { ...base, body, bodyBytes };
}

async function store(
  kind: ResourceKind,
  scope: ScimScope,
  { storedId, resource, bytes }: Differing,
  log: WriteLog,
): Promise<{ id: string; change: 'created' | 'updated' | undefined }> {
  const request = requestOf(scope, resource, bytes);
  if (storedId !== null) {
    try {
      await kind.replace(scope, request, storedId, log);
      return { id: storedId, change: log.hasWrites ? 'updated' : undefined };
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  const { data } = await kind.create(scope, request, log);
  return { id: data?.id as string, change: 'created' };
}

function isNotFound(error: unknown): boolean {
  return error instanceof ScimError && error.status === 404;
}
