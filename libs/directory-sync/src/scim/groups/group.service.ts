/** Operations on group resources: RFC 7644 sections 3.3 to 3.6. Members are rows of their own. */
import {
  type AttributeSelection,
  groupResourceType,
  type MemberReference,
  netMemberChanges,
  normalizeResource,
  parseSelectionQuery,
  planGroupPatch,
  preconditionFailed,
  requireDefinedNames,
  type ScimResource,
  takeMembers,
  versionTag,
} from '@gatehouse/scim';
import { uuidv7 } from '@gatehouse/kit/ids';
import { changeGroup, deleteGroup, insertGroup } from '../../groups/group.repository.js';
import { type GroupRow } from '../../groups/group.types.js';
import { someMemberIds } from '../../groups/member.repository.js';
import { checkIndexedTexts } from '../protocol/indexed-texts.js';
import { patchedResource, patchOperations } from '../protocol/patched-resource.js';
import {
  checkPreconditions,
  conditionalGetResponse,
  NO_CONTENT,
  writeResponse,
} from '../protocol/responses.js';
import { resourceNotFound } from '../protocol/scim-errors.js';
import { type ScimRequest, type ScimResponse, type ScimScope } from '../protocol/scim.types.js';
import { StaleCacheError } from '../protocol/stale-cache.error.js';
import { type WriteLog } from '../protocol/write-log.js';
import { groupScopeOf } from '../protocol/write-scope.js';
import { write } from '../writes/write.js';
import { groupDocument, isOversized, refuseOversized } from './group.document.js';
import { memberSetOf, reportIgnored, requireGroup, usableIds, writeGroup } from './group-write.js';
import { changeMembersInOrder } from './ordered-member-changes.js';

/** A PATCH of a larger group, or a PUT that keeps its members, returns 204. */
const ANSWERED_MEMBERS_MAX = 1_000;
/** The members of a larger group are deleted in several transactions before the group. */
const DELETED_MEMBERS_MAX = 5_000;

export async function createGroup(
  scope: ScimScope,
  request: ScimRequest,
  log: WriteLog,
): Promise<ScimResponse> {
  const selection = parseSelectionQuery(request.query, groupResourceType);
  const { resource, members = [] } = groupResource(scope, request.body);
  const addIds = usableIds(members);
  const id = uuidv7();
  const written = await write(scope, {
    statement: (sql) => insertGroup(sql, groupScopeOf(scope), id, resource, addIds),
    quota: {
      creates: 'groups',
      bodyBytes: request.bodyBytes ?? 0,
      bytesOf: ({ group }) => group.bytes,
    },
    roles: { of: 'group', changesRules: () => true },
    // A refused group has no id: all of a directory are held as one, with nothing to carry out.
    removal: { kind: 'group', id: scope.directory.id, operation: 'members' },
  });
  if (!written) throw new StaleCacheError();
  log.add(written.events);
  await reportIgnored(scope, written.ignored + members.length - addIds.length);
  const document = await groupDocument(scope, written.group, selection.includes('members'));
  return writeResponse(201, document, selection);
}

export async function readGroup(
  scope: ScimScope,
  request: ScimRequest,
  id: string,
): Promise<ScimResponse> {
  const selection = parseSelectionQuery(request.query, groupResourceType);
  const row = await requireGroup(scope, id);
  const showsMembers = selection.includes('members');
  if (showsMembers) refuseOversized(scope, row);
  const document = await groupDocument(scope, row, showsMembers);
  return conditionalGetResponse(request, document, selection);
}

export async function replaceGroup(
  scope: ScimScope,
  request: ScimRequest,
  id: string,
  log: WriteLog,
): Promise<ScimResponse> {
  const selection = parseSelectionQuery(request.query, groupResourceType);
  const { resource, members } = groupResource(scope, request.body);
  const reset = members !== undefined || scope.directory.putClearsMembers;
  const change = memberSetOf({ reset, add: members ?? [], removeIds: [] });
  const row = await writeGroup(scope, request, id, log, { attributes: () => resource, ...change });
  if (!reset) return groupResponse(scope, request, row, selection);
  const document = await groupDocument(scope, row, selection.includes('members'));
  return writeResponse(200, document, selection);
}

/** As `replaceGroup`, but keeps the members. */
export async function replaceGroupAttributes(
  scope: ScimScope,
  request: ScimRequest,
  id: string,
  log: WriteLog,
): Promise<void> {
  const { resource } = groupResource(scope, request.body);
  const members = { reset: false, addIds: [], removeIds: [] };
  const change = { attributes: () => resource, members, unusable: 0 };
  await writeGroup(scope, request, id, log, change);
}

export async function patchGroup(
  scope: ScimScope,
  request: ScimRequest,
  id: string,
  log: WriteLog,
): Promise<ScimResponse> {
  const selection = parseSelectionQuery(request.query, groupResourceType);
  const operations = patchOperations(scope, request.body, groupResourceType);
  const plan = planGroupPatch(operations);
  const attributes = (current: ScimResource) =>
    patchedResource(scope, id, current, plan.attributes, groupResourceType);
  const net = netMemberChanges(plan.members);
  const change = plan.attributes.length > 0 ? { attributes } : {};
  const row = net
    ? await writeGroup(scope, request, id, log, { ...change, ...memberSetOf(net) })
    : await changeMembersInOrder(scope, request, id, log, attributes, plan.members);
  return groupResponse(scope, request, row, selection);
}

/** The group, or 204 if it has too many members to read them for one change. */
async function groupResponse(
  scope: ScimScope,
  request: ScimRequest,
  row: GroupRow,
  selection: AttributeSelection,
): Promise<ScimResponse> {
  const showsMembers = selection.includes('members');
  const isTooLarge = showsMembers && row.memberCount > ANSWERED_MEMBERS_MAX;
  const isMinimal = (request.prefersMinimal === true || isTooLarge) && !selection.isAsked;
  if (isMinimal || (showsMembers && isOversized(scope, row))) {
    return { status: 204, headers: { ETag: versionTag(row.version) }, data: null };
  }
  return writeResponse(200, await groupDocument(scope, row, showsMembers), selection);
}

export async function removeGroup(
  scope: ScimScope,
  request: ScimRequest,
  id: string,
  log: WriteLog,
): Promise<ScimResponse> {
  let row = await requireGroup(scope, id);
  checkPreconditions(request, row.version);
  // Only the first write checks the version, and counts; a deletion that has started is completed.
  let first: FirstWrite | undefined = {
    version: request.ifMatch === undefined ? null : row.version,
    groupName: row.displayName,
  };
  // Where the guard may refuse the last members, all are deleted at once, or none.
  const { guard } = scope.engine;
  const isLarge = row.memberCount > DELETED_MEMBERS_MAX;
  const isWhole =
    isLarge && scope.directory.mapsRoles && (await guard.mayEndRole(scope.directory, id));
  while (!isWhole && row.memberCount > DELETED_MEMBERS_MAX) {
    row = await removeSomeMembers(scope, id, log, first);
    first = undefined;
  }
  const deletion = await write(scope, {
    statement: (sql) => deleteGroup(sql, groupScopeOf(scope), id, first?.version ?? null),
    isWhole: true,
    quota: { removes: 'groups', bytesOf: ({ bytes }) => bytes },
    roles: { of: 'group', changesRules: () => true },
    removal: { kind: 'group', id, operation: 'delete' },
    groupName: first?.groupName,
    removed: first && (({ parentIds }) => ({ isDeleted: true, leftGroups: parentIds })),
  });
  if (!deletion) {
    await requireGroup(scope, id);
    throw preconditionFailed();
  }
  log.add(deletion.events);
  return NO_CONTENT;
}

/** The write that begins a deletion. */
interface FirstWrite {
  /** The version that the group must have; null: any. */
  version: number | null;
  groupName: string;
}

async function removeSomeMembers(
  scope: ScimScope,
  id: string,
  log: WriteLog,
  first: FirstWrite | undefined,
): Promise<GroupRow> {
  const { engine, directory } = scope;
  const removeIds = await someMemberIds(engine.sql, directory.id, id, DELETED_MEMBERS_MAX);
  const members = { reset: false, addIds: [], removeIds };
  const version = first?.version ?? null;
  const written = await write(scope, {
    statement: (sql) => changeGroup(sql, groupScopeOf(scope), id, version, members),
    isWhole: true,
    roles: { of: 'group', changesRules: ({ isNested }) => isNested },
    removal: { kind: 'group', id, operation: 'delete' },
    groupName: first?.groupName,
    removed: first && (() => ({})),
  });
  if (!written) {
    await requireGroup(scope, id);
    throw version === null ? resourceNotFound(id) : preconditionFailed();
  }
  log.add(written.events);
  return written.group;
}

function groupResource(
  { directory }: ScimScope,
  body: unknown,
): { resource: ScimResource; members: MemberReference[] | undefined } {
  if (directory.strict) requireDefinedNames(body, groupResourceType);
  const parts = takeMembers(normalizeResource(body, groupResourceType));
  checkIndexedTexts(parts.resource);
  return parts;
}
