/**
 * Changes of a group. A change of attributes, or of the whole member list, is based on the version
 * that was read and repeats if another write came between; otherwise it would keep what that write
 * added. Adding and removing members needs no version.
 */
import {
  deriveGroup,
  type JsonObject,
  type MemberReference,
  type NetMemberChange,
  sameJson,
  type ScimResource,
} from '@gatehouse/scim';
import { isUuid } from '@gatehouse/kit/ids';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { changeGroup, findGroup } from '../../groups/group.repository.js';
import { type GroupRow, type GroupWrite, type MemberSet } from '../../groups/group.types.js';
import { addUser } from '../../groups/member.repository.js';
import { checkPreconditions } from '../protocol/responses.js';
import { resourceNotFound } from '../protocol/scim-errors.js';
import { type ScimRequest, type ScimScope } from '../protocol/scim.types.js';
import { ensureCurrent } from '../protocol/stale-cache.error.js';
import { spendOn, workOf } from '../protocol/stored-work.js';
import { type WriteLog } from '../protocol/write-log.js';
import { groupScopeOf } from '../protocol/write-scope.js';
import { pauseBeforeRetry } from '../writes/pause.js';
import { write } from '../writes/write.js';

export interface GroupChange {
  /** Computes the new attributes from the stored ones; absent if no attribute changes. */
  attributes?: (current: ScimResource) => ScimResource;
  members: MemberSet;
  /** The number of member references that are not UUIDs. */
  unusable: number;
}

/** The ids of a net change. References that cannot be ids of this service are only counted. */
export function memberSetOf({ reset, add, removeIds }: NetMemberChange): {
  members: MemberSet;
  unusable: number;
} {
  const addIds = usableIds(add);
  return {
    members: { reset, addIds, removeIds: removeIds.filter(isUuid) },
    unusable: add.length - addIds.length,
  };
}

export function usableIds(members: readonly MemberReference[]): string[] {
  return members.map(({ value }) => value).filter(isUuid);
}

/**
 * Applies a change and returns the resulting group; a change to equal values writes nothing. Reads
 * the group beforehand only if the result depends on its current state.
 */
export async function writeGroup(
  scope: ScimScope,
  request: ScimRequest,
  id: string,
  log: WriteLog,
  change: GroupChange,
): Promise<GroupRow> {
  const isBlind = mayBeBlind(request, change);
  const added = isBlind ? await addSingleUser(scope, id, change) : undefined;
  if (added) return committed(scope, log, added, 0);
  const needsRow = !isBlind || scope.directory.guard !== null || !isUuid(id);
  for (let attempt = 1; ; attempt++) {
    const before = needsRow ? await requireGroup(scope, id) : undefined;
    if (before) checkPreconditions(request, before.version);
    const attributes =
      before && change.attributes && changedAttributes(before, change.attributes(before.raw));
    if (before && !attributes && isNoChange(change.members)) {
      await ensureCurrent(scope);
      await reportIgnored(scope, change.unusable);
      return before;
    }
    const isVersioned =
      attributes !== undefined || change.members.reset || request.ifMatch !== undefined;
    const version = before && isVersioned ? before.version : null;
    const plan = { id, version, before, members: change.members, attributes };
    const written = await changeOnce(scope, plan);
    if (written) return committed(scope, log, written, change.unusable);
    await ensureCurrent(scope);
    if (version === null) throw resourceNotFound(id);
    await pauseBeforeRetry(attempt);
  }
}

/** Whether a change depends on nothing that is stored: it only adds or removes members. */
function mayBeBlind(
  { ifMatch, ifNoneMatch }: ScimRequest,
  { attributes, members }: GroupChange,
): boolean {
  const hasPrecondition = ifMatch !== undefined || ifNoneMatch !== undefined;
  return !attributes && !members.reset && !hasPrecondition && !isNoChange(members);
}

interface PlannedChange {
  id: string;
  /** The version that the change is based on; null: any. */
  version: number | null;
  before: GroupRow | undefined;
  members: MemberSet;
  attributes: ReturnType<typeof changedAttributes>;
}

/** @returns undefined if the group has another version, or is gone */
function changeOnce(
  scope: ScimScope,
  { id, version, before, members, attributes }: PlannedChange,
): Promise<GroupWrite | undefined> {
  const isProtected = before && scope.engine.guard.protects(scope.directory, before.displayName);
  return write(scope, {
    statement: (sql) => changeGroup(sql, groupScopeOf(scope), id, version, members, attributes),
    quota: { grows: ({ group }) => (before && attributes ? group.bytes - before.bytes : 0) },
    roles: {
      of: 'group',
      changesRules: ({ isNested }) => isNested || attributes !== undefined,
    },
    removal: { kind: 'group', id, operation: 'members', memberIds: members.removeIds },
    emptied: isProtected ? ({ group }) => emptiedName(scope, before, group) : undefined,
  });
}

async function committed(
  scope: ScimScope,
  log: WriteLog,
  { group, events, ignored }: GroupWrite,
  unusable: number,
): Promise<GroupRow> {
  scope.call.budget?.charge(workOf(group));
  log.add(events);
  await reportIgnored(scope, ignored + unusable);
  return group;
}

/** The name of a protected group that a change has emptied. */
export function emptiedName(
  { directory, engine }: ScimScope,
  { displayName, memberCount }: GroupRow,
  after: GroupRow,
): string | undefined {
  const isEmptied = memberCount > 0 && after.memberCount === 0;
  return isEmptied && engine.guard.protects(directory, displayName) ? displayName : undefined;
}

/** Carries out a change that only adds one user. Returns undefined if the change may be another. */
async function addSingleUser(
  scope: ScimScope,
  id: string,
  { members: { reset, addIds, removeIds }, unusable }: GroupChange,
): Promise<GroupWrite | undefined> {
  const [userId] = addIds;
  // With roles, the change of a member needs more statements.
  if (scope.directory.mapsRoles) return undefined;
  const isOne = !reset && addIds.length === 1 && removeIds.length === 0 && unusable === 0;
  if (!isOne || userId === undefined || !isUuid(id)) return undefined;
  return addUser(scope.engine.sql, groupScopeOf(scope), id, userId);
}

/** The new attributes with the previous values for the event; undefined if they are equal. */
export function changedAttributes(
  before: GroupRow,
  raw: ScimResource,
): { raw: ScimResource; previous: JsonObject } | undefined {
  if (raw === before.raw || sameJson(raw, before.raw)) return undefined;
  const previous: JsonObject = { raw: { ...before.raw, id: before.id } };
  const renamed = deriveGroup(raw).displayName !== before.displayName;
  return { raw, previous: renamed ? { name: before.displayName, ...previous } : previous };
}

/**
 * Reads a group, or throws 404. Inside a transaction, pass its executor: a transaction that waits
 * for a second connection can exhaust the pool.
 */
export async function requireGroup(
  scope: ScimScope,
  id: string,
  executor: SqlExecutor = scope.engine.sql,
): Promise<GroupRow> {
  const row = isUuid(id) ? await findGroup(executor, scope.directory.id, id) : undefined;
  if (!row) throw resourceNotFound(id);
  return spendOn(scope, row);
}

/** Counts member references without a user or group; the status of the directory shows them. */
export async function reportIgnored(scope: ScimScope, count: number): Promise<void> {
  if (count === 0) return;
  await scope.engine.directories.countIgnoredMembers(scope.directory.id, count);
}

function isNoChange({ reset, addIds, removeIds }: MemberSet): boolean {
  return !reset && addIds.length === 0 && removeIds.length === 0;
}
