/**
 * Queries: RFC 7644 section 3.4.2 and 3.4.3, by index or by cursor (RFC 9865). A query at the root
 * runs over users first, then groups.
 */
import {
  createCursorCodec,
  groupResourceType,
  type JsonObject,
  listResponse,
  type ListQuery,
  parseListQuery,
  parseSearchRequest,
  ScimError,
  selectAttributes,
  userResourceType,
} from '@gatehouse/scim';
import type { GroupRow } from '../../groups/group.types.js';
import { membersOfGroups } from '../../groups/member.repository.js';
import { isUuid } from '../../database/uuid.js';
import { groupWithMembers } from '../groups/group.document.js';
import {
  countMatches,
  type Listed,
  listGroups,
  listUsers,
  type PageStart,
  type Place,
} from './list.repository.js';
import { ensureCurrent } from '../requests/directory-cache.js';
import { scopeOf } from '../protocol/scim-context.js';
import type { ResourceName, ScimAnswer, ScimCall, ScimContext } from '../protocol/scim.types.js';
import { userDocument } from '../users/user.service.js';

export const CURSOR_MAX_AGE_SECONDS = 86_400;

/** A page of groups ends early rather than show more members than this; it has one group at least. */
const LISTED_MEMBERS_MAX = 100_000;

/** One resource of a page, and what a cursor needs to go on after it. */
interface Entry {
  document: JsonObject;
  id: string;
  sortKey: string | null;
}

const RESOURCES = { User: userResourceType, Group: groupResourceType } as const;

/** Answers GET on a collection or the root, and POST on any `.search`. */
export async function listResources(
  context: ScimContext,
  call: ScimCall,
  resource?: ResourceName,
): Promise<ScimAnswer> {
  const names: ResourceName[] = resource ? [resource] : ['User', 'Group'];
  const queries = names.map((name) => ({ name, query: queryOf(context, call, name) }));
  const [first] = queries;
  const { page } = (first as (typeof queries)[0]).query;
  const data =
    page.mode === 'cursor'
      ? await pageByCursor(context, queries, page.cursor, page.count)
      : await pageByIndex(context, queries, page.startIndex, page.count);
  if ((data.Resources as JsonObject[]).length === 0) await ensureCurrent(context);
  return { status: 200, headers: {}, data };
}

type NamedQuery = { name: ResourceName; query: ListQuery };

function queryOf(context: ScimContext, call: ScimCall, name: ResourceName): ListQuery {
  const type = RESOURCES[name];
  return call.method === 'POST'
    ? parseSearchRequest(call.body, type, context.limits)
    : parseListQuery(call.query, type, context.limits);
}

async function pageByIndex(
  context: ScimContext,
  queries: readonly NamedQuery[],
  startIndex: number,
  count: number,
): Promise<JsonObject> {
  let resources: JsonObject[] = [];
  let totalResults = 0;
  let isCut = false;
  for (const { name, query } of queries) {
    const offset = Math.max(startIndex - 1 - totalResults, 0);
    const wanted: number = isCut ? 0 : count - resources.length;
    const { total, page } = await countedPage(context, name, query, offset, wanted);
    totalResults += total;
    isCut ||= page.isCut;
    resources = resources.concat(page.entries.map(({ document }) => document));
  }
  return listResponse({ totalResults, startIndex, resources });
}

/**
 * A page with the total behind it. A filter seldom finds more than a page, and then the page tells
 * the total; without one both are asked for at once.
 */
async function countedPage(
  context: ScimContext,
  name: ResourceName,
  query: ListQuery,
  offset: number,
  wanted: number,
): Promise<{ total: number; page: Entries }> {
  const { database } = context;
  const count = () => countMatches(database, name, placeOf(context), query);
  if (wanted <= 0) return { total: await count(), page: NO_ENTRIES };
  const reading = entriesOf(context, name, query, { offset }, wanted);
  if (query.filter === undefined) {
    const [total, page] = await Promise.all([count(), reading]);
    return { total, page };
  }
  const page = await reading;
  const found = page.entries.length;
  const isLast = !page.isCut && found < wanted && (found > 0 || offset === 0);
  return { total: isLast ? offset + found : await count(), page };
}

async function pageByCursor(
  context: ScimContext,
  queries: readonly NamedQuery[],
  cursor: string,
  count: number,
): Promise<JsonObject> {
  const codec = createCursorCodec({
    key: context.cursorKey,
    maxAgeSeconds: CURSOR_MAX_AGE_SECONDS,
  });
  const key = [context.directory.id, ...queries.map(({ query }) => query.key)].join('\n');
  let position = cursor === '' ? undefined : positionOf(codec.decode(cursor, key));
  const resources: JsonObject[] = [];
  let last: JsonObject | undefined;
  for (const { name, query } of queries) {
    if (position && position.name !== name) continue;
    const start: PageStart = position?.start ?? { offset: 0 };
    position = undefined;
    // One more than asked for tells whether there is a next page.
    const wanted = count - resources.length;
    const page = await entriesOf(context, name, query, start, wanted + 1);
    const shown = page.entries.slice(0, wanted);
    resources.push(...shown.map(({ document }) => document));
    const end = shown.at(-1);
    if (end) last = { name, id: end.id, key: end.sortKey };
    if (page.isCut || page.entries.length > wanted) {
      const state = last ?? { name, id: null, key: null };
      return listResponse({ resources, nextCursor: codec.encode(state, key) });
    }
  }
  return listResponse({ resources });
}

function positionOf(state: JsonObject): { name: ResourceName; start: PageStart } {
  const { name, id, key } = state;
  const isKnown = name === 'User' || name === 'Group';
  const isKey = key === null || typeof key === 'string';
  if (isKnown && id === null) return { name, start: { offset: 0 } };
  if (!isKnown || !isUuid(id) || !isKey) {
    throw new ScimError(400, 'invalidCursor', 'The cursor is not one of this query.');
  }
  return { name, start: { lastKey: key, lastId: id } };
}

function placeOf(context: ScimContext): Place {
  return { ...scopeOf(context), address: context.baseUrl };
}

interface Entries {
  entries: Entry[];
  /** The page ends here because of its size, not because there is nothing more. */
  isCut: boolean;
}

const NO_ENTRIES: Entries = { entries: [], isCut: false };

async function entriesOf(
  context: ScimContext,
  name: ResourceName,
  query: ListQuery,
  start: PageStart,
  limit: number,
): Promise<Entries> {
  const { database } = context;
  if (name === 'User') {
    const rows = await listUsers(database, placeOf(context), query, start, limit);
    const entries = rows.map((row) => ({
      document: selectAttributes(userDocument(context, row), query.selection),
      id: row.id,
      sortKey: row.sortKey,
    }));
    return { entries, isCut: false };
  }
  return groupEntries(
    context,
    query,
    await listGroups(database, placeOf(context), query, start, limit),
  );
}

async function groupEntries(
  context: ScimContext,
  query: ListQuery,
  rows: Listed<GroupRow>[],
): Promise<Entries> {
  const showsMembers = query.selection.includes('members');
  const shown = showsMembers ? withinMembersMax(rows) : rows;
  const ids = shown.map(({ id }) => id);
  const members = showsMembers ? await membersOfGroups(context.database, ids) : undefined;
  const entries = shown.map((row) => ({
    document: selectAttributes(
      groupWithMembers(context, row, members?.get(row.id)),
      query.selection,
    ),
    id: row.id,
    sortKey: row.sortKey,
  }));
  return { entries, isCut: shown.length < rows.length };
}

function withinMembersMax(rows: Listed<GroupRow>[]): Listed<GroupRow>[] {
  let memberCount = 0;
  const end = rows.findIndex((row, index) => {
    memberCount += row.memberCount;
    return index > 0 && memberCount > LISTED_MEMBERS_MAX;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
