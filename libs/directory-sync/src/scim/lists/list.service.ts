/**
 * Queries: RFC 7644 sections 3.4.2 and 3.4.3, by index or by cursor (RFC 9865). A query at the root
 * returns users first, then groups.
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
import { isUuid } from '../../database/uuid.js';
import type { GroupRow } from '../../groups/group.types.js';
import { membersOfGroups } from '../../groups/member.repository.js';
import { groupWithMembers } from '../groups/group.document.js';
import type { ResourceName, ScimRequest, ScimResponse, ScimScope } from '../protocol/scim.types.js';
import { ensureCurrent } from '../protocol/stale-cache.error.js';
import { userDocument } from '../users/user.document.js';
import {
  countMatches,
  type Listed,
  listGroups,
  type ListScope,
  listUsers,
  type PageStart,
} from './list.repository.js';

export const CURSOR_MAX_AGE_SECONDS = 86_400;

/** A page of groups ends early at this number of members, but has at least one group. */
const LISTED_MEMBERS_MAX = 100_000;

/** One resource of a page, with the position for a cursor. */
interface Entry {
  document: JsonObject;
  id: string;
  sortKey: string | null;
}

const RESOURCES = { User: userResourceType, Group: groupResourceType } as const;

/** Handles GET on a collection or the root, and POST on any `.search`. */
export async function listResources(
  scope: ScimScope,
  request: ScimRequest,
  resource?: ResourceName,
): Promise<ScimResponse> {
  const names: ResourceName[] = resource ? [resource] : ['User', 'Group'];
  const queries = names.map((name) => ({ name, query: queryOf(scope, request, name) }));
  const [first] = queries;
  const { page } = (first as (typeof queries)[0]).query;
  const data =
    page.mode === 'cursor'
      ? await pageByCursor(scope, queries, page.cursor, page.count)
      : await pageByIndex(scope, queries, page.startIndex, page.count);
  if ((data.Resources as JsonObject[]).length === 0) await ensureCurrent(scope);
  return { status: 200, headers: {}, data };
}

type NamedQuery = { name: ResourceName; query: ListQuery };

function queryOf(scope: ScimScope, request: ScimRequest, name: ResourceName): ListQuery {
  const type = RESOURCES[name];
  return request.method === 'POST'
    ? parseSearchRequest(request.body, type, scope.limits)
    : parseListQuery(request.query, type, scope.limits);
}

async function pageByIndex(
  scope: ScimScope,
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
    const { total, page } = await countedPage(scope, name, query, offset, wanted);
    totalResults += total;
    isCut ||= page.isCut;
    resources = resources.concat(page.entries.map(({ document }) => document));
  }
  return listResponse({ totalResults, startIndex, resources });
}

/**
 * A page with the total number of matches. A filter seldom matches more than one page, and then the
 * page gives the total; without a filter, both are queried at once.
 */
async function countedPage(
  scope: ScimScope,
  name: ResourceName,
  query: ListQuery,
  offset: number,
  wanted: number,
): Promise<{ total: number; page: Entries }> {
  const { sql } = scope;
  const count = () => countMatches(sql, name, listScopeOf(scope), query);
  if (wanted <= 0) return { total: await count(), page: NO_ENTRIES };
  const reading = entriesOf(scope, name, query, { offset }, wanted);
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
  scope: ScimScope,
  queries: readonly NamedQuery[],
  cursor: string,
  count: number,
): Promise<JsonObject> {
  const codec = createCursorCodec({
    key: scope.cursorKey,
    maxAgeSeconds: CURSOR_MAX_AGE_SECONDS,
  });
  const key = [scope.directory.id, ...queries.map(({ query }) => query.key)].join('\n');
  let position = cursor === '' ? undefined : positionOf(codec.decode(cursor, key));
  const resources: JsonObject[] = [];
  let last: JsonObject | undefined;
  for (const { name, query } of queries) {
    if (position && position.name !== name) continue;
    const start: PageStart = position?.start ?? { offset: 0 };
    position = undefined;
    // Read one more than requested to find out whether there is a next page.
    const wanted = count - resources.length;
    const page = await entriesOf(scope, name, query, start, wanted + 1);
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

function listScopeOf({ directory, revision, baseUrl }: ScimScope): ListScope {
  return { directoryId: directory.id, revision, address: baseUrl };
}

interface Entries {
  entries: Entry[];
  /** The page ended early because of its size; there may be more. */
  isCut: boolean;
}

const NO_ENTRIES: Entries = { entries: [], isCut: false };

async function entriesOf(
  scope: ScimScope,
  name: ResourceName,
  query: ListQuery,
  start: PageStart,
  limit: number,
): Promise<Entries> {
  const { sql } = scope;
  if (name === 'User') {
    const rows = await listUsers(sql, listScopeOf(scope), query, start, limit);
    const entries = rows.map((row) => ({
      document: selectAttributes(userDocument(scope.baseUrl, row), query.selection),
      id: row.id,
      sortKey: row.sortKey,
    }));
    return { entries, isCut: false };
  }
  return groupEntries(scope, query, await listGroups(sql, listScopeOf(scope), query, start, limit));
}

async function groupEntries(
  scope: ScimScope,
  query: ListQuery,
  rows: Listed<GroupRow>[],
): Promise<Entries> {
  const showsMembers = query.selection.includes('members');
  const shown = showsMembers ? withinMembersMax(rows) : rows;
  const ids = shown.map(({ id }) => id);
  const members = showsMembers ? await membersOfGroups(scope.sql, ids) : undefined;
  const entries = shown.map((row) => ({
    document: selectAttributes(
      groupWithMembers(scope.baseUrl, row, members?.get(row.id)),
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
