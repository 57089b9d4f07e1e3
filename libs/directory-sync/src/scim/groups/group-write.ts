/**
 * Changes of a group. Attributes, and members that take the place of all others, are written over
 * the version that was read, and once more when another write came between: what that one added
 * would stay otherwise, unseen. Members that are only added or removed need no version.
 */
import {
  deriveGroup,
  type JsonObject,
  type MemberReference,
  type NetMemberChange,
  sameJson,
  type ScimResource,
} from '@gatehouse/scim';
import { type Executor, untilUncontended } from '../../database/database.js';
import * as groups from '../../groups/group.repository.js';
import type { GroupRow } from '../../groups/group.types.js';
import { addUser } from '../../groups/member-addition.repository.js';
import { isUuid } from '../../database/uuid.js';
import { pauseBeforeRetry } from '../protocol/optimistic-retry.js';
import { checkPreconditions } from '../protocol/preconditions.js';
import { ensureCurrent } from '../requests/directory-cache.js';
import { groupScopeOf, noteEvents } from '../protocol/scim-context.js';
import { resourceNotFound } from '../protocol/scim-errors.js';
import type { ScimCall, ScimContext } from '../protocol/scim.types.js';

export interface GroupChange {
  /** The attributes as they shall be, made from what is stored; absent when none may change. */
  attributes?: (current: ScimResource) => ScimResource;
  members: groups.MemberSet;
  /** How many member references were no ids at all. */
  unusable: number;
}

/** The ids of a net change; references that cannot be ids of this service are only counted. */
export function memberSetOf({ reset, add, removeIds }: NetMemberChange): {
  members: groups.MemberSet;
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
 * Carries out a change and answers with the group as it is then; nothing new writes nothing. The
 * group is read beforehand only where something depends on what it is.
 */
export async function writeGroup(
  context: ScimContext,
  call: ScimCall,
  id: string,
  change: GroupChange,
): Promise<GroupRow> {
  const scope = groupScopeOf(context);
  const hasPrecondition = call.ifMatch !== undefined || call.ifNoneMatch !== undefined;
  const { reset } = change.members;
  const isBlind =
    change.attributes === undefined && !reset && !hasPrecondition && !isNoChange(change.members);
  const added = isBlind ? await onlyUserAdded(context, id, change) : undefined;
  if (added) return added;
  for (let attempt = 1; ; attempt++) {
    const before = isBlind && isUuid(id) ? undefined : await requireGroup(context, id);
    if (before) checkPreconditions(call, before.version);
    const attributes =
      before && change.attributes && changedAttributes(before, change.attributes(before.raw));
    if (before && !attributes && isNoChange(change.members)) {
      await ensureCurrent(context);
      await reportIgnored(context, change.unusable);
      return before;
    }
    const isVersioned = attributes !== undefined || reset || call.ifMatch !== undefined;
    const version = before && isVersioned ? before.version : null;
    const written = await untilUncontended(() =>
      groups.changeGroup(context.database, scope, id, version, change.members, attributes),
    );
    if (written) {
      noteEvents(context, written.events);
      await reportIgnored(context, written.ignored + change.unusable);
      return written.group;
    }
    await ensureCurrent(context);
    if (version === null) throw resourceNotFound(id);
    await pauseBeforeRetry(attempt);
  }
}

/** Carries out a change that does nothing but add one user; undefined when it may be another. */
async function onlyUserAdded(
  context: ScimContext,
  id: string,
  { members: { reset, addIds, removeIds }, unusable }: GroupChange,
): Promise<GroupRow | undefined> {
  const [userId] = addIds;
  const isOne = !reset && addIds.length === 1 && removeIds.length === 0 && unusable === 0;
  if (!isOne || userId === undefined || !isUuid(id)) return undefined;
  const written = await addUser(context.database, groupScopeOf(context), id, userId);
  if (!written) return undefined;
  noteEvents(context, written.events);
  return written.group;
}

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
 * Reads a group, also one that the same transaction has locked; throws 404 when there is none. It
 * asks for nothing else: a transaction that waits for a second connection waits for its like.
 */
export async function requireGroup(
  context: ScimContext,
  id: string,
  executor: Executor = context.database,
): Promise<GroupRow> {
  const directoryId = context.directory.id;
  const row = isUuid(id) ? await groups.findGroup(executor, directoryId, id) : undefined;
  if (!row) throw resourceNotFound(id);
  return row;
}

/** Counts member references that named nobody of the directory: its status shows them. */
export async function reportIgnored(context: ScimContext, count: number): Promise<void> {
  if (count === 0) return;
  await context.directories.countIgnoredMembers(context.directory.id, count);
}

function isNoChange({ reset, addIds, removeIds }: groups.MemberSet): boolean {
  return !reset && addIds.length === 0 && removeIds.length === 0;
}
