/** Group resources: RFC 7644 sections 3.3 to 3.6 on rows, members apart from attributes. */
import {
  groupResourceType,
  type MemberReference,
  netMemberChanges,
  normaliseResource,
  parsePatchRequest,
  parseSelectionQuery,
  planGroupPatch,
  preconditionFailed,
  type ScimResource,
  takeMembers,
  versionTag,
} from '@gatehouse/scim';
import { uuidv7 } from '@gatehouse/service-kit';
import { untilUncontended } from '../../database/database.js';
import * as groups from '../../groups/group.repository.js';
import type { GroupRow } from '../../groups/group.types.js';
import { someMemberIds } from '../../groups/member.repository.js';
import { groupDocument } from './group.document.js';
import { changeMembersInOrder } from './group-members.js';
import { memberSetOf, reportIgnored, requireGroup, usableIds, writeGroup } from './group-write.js';
import { checkIndexedTexts } from '../protocol/indexed-texts.js';
import { patchedResource } from '../protocol/patched-resource.js';
import { checkPreconditions, freshAnswer, writtenAnswer } from '../protocol/preconditions.js';
import { StaleMemory } from '../requests/directory-cache.js';
import { groupScopeOf, noteEvents } from '../protocol/scim-context.js';
import { resourceNotFound } from '../protocol/scim-errors.js';
import type { ScimAnswer, ScimCall, ScimContext } from '../protocol/scim.types.js';

/** A PATCH of a larger group is answered with 204: its members are not read for one change. */
const ANSWERED_MEMBERS_MAX = 1_000;
/** A larger group is emptied in several transactions before it is deleted. */
const DELETED_MEMBERS_MAX = 5_000;

export async function createGroup(context: ScimContext, call: ScimCall): Promise<ScimAnswer> {
  const selection = parseSelectionQuery(call.query, groupResourceType);
  const { resource, members } = groupResource(call.body);
  const addIds = usableIds(members);
  const scope = groupScopeOf(context);
  const id = uuidv7();
  const written = await untilUncontended(() =>
    groups.insertGroup(context.database, scope, id, resource, addIds),
  );
  if (!written) throw new StaleMemory();
  noteEvents(context, written.events);
  await reportIgnored(context, written.ignored + members.length - addIds.length);
  const document = await groupDocument(context, written.group, selection.includes('members'));
  return writtenAnswer(201, document, selection);
}

export async function readGroup(
  context: ScimContext,
  call: ScimCall,
  id: string,
): Promise<ScimAnswer> {
  const selection = parseSelectionQuery(call.query, groupResourceType);
  const row = await requireGroup(context, id);
  const document = await groupDocument(context, row, selection.includes('members'));
  return freshAnswer(call, document, selection);
}

export async function replaceGroup(
  context: ScimContext,
  call: ScimCall,
  id: string,
): Promise<ScimAnswer> {
  const selection = parseSelectionQuery(call.query, groupResourceType);
  const { resource, members } = groupResource(call.body);
  const change = memberSetOf({ reset: true, add: members, removeIds: [] });
  const row = await writeGroup(context, call, id, { attributes: () => resource, ...change });
  const document = await groupDocument(context, row, selection.includes('members'));
  return writtenAnswer(200, document, selection);
}

export async function patchGroup(
  context: ScimContext,
  call: ScimCall,
  id: string,
): Promise<ScimAnswer> {
  const selection = parseSelectionQuery(call.query, groupResourceType);
  const operations = parsePatchRequest(call.body);
  const plan = planGroupPatch(operations);
  const attributes = (current: ScimResource) =>
    patchedResource(context, id, current, plan.attributes, groupResourceType);
  const net = netMemberChanges(plan.members);
  const change = plan.attributes.length > 0 ? { attributes } : {};
  const row = net
    ? await writeGroup(context, call, id, { ...change, ...memberSetOf(net) })
    : await changeMembersInOrder(context, call, id, attributes, plan.members);
  const showsMembers = selection.includes('members');
  const isTooLarge = showsMembers && row.memberCount > ANSWERED_MEMBERS_MAX;
  if ((call.prefersMinimal === true || isTooLarge) && !selection.isAsked) {
    return { status: 204, headers: { ETag: versionTag(row.version) }, data: null };
  }
  return writtenAnswer(200, await groupDocument(context, row, showsMembers), selection);
}

export async function removeGroup(
  context: ScimContext,
  call: ScimCall,
  id: string,
): Promise<ScimAnswer> {
  const { database } = context;
  const scope = groupScopeOf(context);
  let row = await requireGroup(context, id);
  checkPreconditions(call, row.version);
  // Asked for by the first write alone: what has begun is carried through.
  let version = call.ifMatch === undefined ? null : row.version;
  while (row.memberCount > DELETED_MEMBERS_MAX) {
    row = await removeSomeMembers(context, id, version);
    version = null;
  }
  const events = await untilUncontended(() =>
    database.transaction((executor) => groups.deleteGroup(executor, scope, id, version)),
  );
  if (!events) {
    await requireGroup(context, id);
    throw preconditionFailed();
  }
  noteEvents(context, events);
  return { status: 204, headers: {}, data: null };
}

async function removeSomeMembers(
  context: ScimContext,
  id: string,
  version: number | null,
): Promise<GroupRow> {
  const { database } = context;
  const removeIds = await someMemberIds(database, id, DELETED_MEMBERS_MAX);
  const set = { reset: false, addIds: [], removeIds };
  const written = await untilUncontended(() =>
    groups.changeGroup(database, groupScopeOf(context), id, version, set),
  );
  if (!written) {
    await requireGroup(context, id);
    throw version === null ? resourceNotFound(id) : preconditionFailed();
  }
  noteEvents(context, written.events);
  return written.group;
}

function groupResource(body: unknown): { resource: ScimResource; members: MemberReference[] } {
  const parts = takeMembers(normaliseResource(body, groupResourceType));
  checkIndexedTexts(parts.resource);
  return parts;
}
