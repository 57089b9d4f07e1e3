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
  requireDefinedTerms,
  ScimError,
  selectAttributes,
  userResourceType,
} from '@gatehouse/scim';
import { isUuid } from '@gatehouse/kit/ids';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { membersOfGroups } from '../../groups/member.repository.js';
import { groupWithMembers, refuseOversized } from '../groups/group.document.js';
import {
  type ResourceName,
  type ScimRequest,
  type ScimResponse,
  type ScimScope,
} from '../protocol/scim.types.js';
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
import { queryClassOf } from './query-class.js';

export const CURSOR_MAX_AGE_SECONDS = 86_400;

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
  // At the root, an attribute may belong to the other type.
  if (scope.directory.strict && resource) queries.forEach(({ query }) => checkTerms(query));
  const queryClass = queryClassOf(queries, scope.engine.limits.filterCostMax);
  const data =
    queryClass === 'lookup'
      ? await pageOf({ scope, sql: scope.engine.sql }, queries)
      : await scope.engine.searches.run(scope.directory.id, queryClass, (sql) =>
          pageOf({ scope, sql }, queries),
        );
  if ((data.Resources as JsonObject[]).length === 0) await ensureCurrent(scope);
  return { status: 200, headers: {}, data };
}

interface NamedQuery {
  name: ResourceName;
  query: ListQuery;
}

/** A directory and the connections to read it with. */
interface Reader {
  scope: ScimScope;
  sql: SqlExecutor;
}

function pageOf(reader: Reader, queries: readonly NamedQuery[]): Promise<JsonObject> {
  const [first] = queries;
  const { page } = (first as NamedQuery).query;
  return page.mode === 'cursor'
    ? pageByCursor(reader, queries, page.cursor, page.count)
    : pageByIndex(reader, queries, page.startIndex, page.count);
}

function queryOf(scope: ScimScope, request: ScimRequest, name: ResourceName): ListQuery {
  const type = RESOURCES[name];
  return request.method === 'POST'
    ? parseSearchRequest(request.body, type, scope.engine.limits)
    : parseListQuery(request.query, type, scope.engine.limits);
}

function checkTerms({ filter }: ListQuery): void {
  if (filter !== undefined) requireDefinedTerms(filter);
}

async function pageByIndex(
  reader: Reader,
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
    const { total, page } = await countedPage(reader, name, query, offset, wanted);
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
  reader: Reader,
  name: ResourceName,
  query: ListQuery,
  offset: number,
  wanted: number,
): Promise<{ total: number; page: Entries }> {
  const count = () => countMatches(reader.sql, name, listScopeOf(reader.scope), query);
  if (wanted <= 0) return { total: await count(), page: NO_ENTRIES };
  const reading = entriesOf(reader, name, query, { offset }, wanted);
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
  reader: Reader,
  queries: readonly NamedQuery[],
  cursor: string,
  count: number,
): Promise<JsonObject> {
  const { scope } = reader;
  const codec = createCursorCodec({
    key: scope.engine.cursorKey,
    maxAgeSeconds: CURSOR_MAX_AGE_SECONDS,
  });
  const key = [scope.directory.id, ...queries.map(({ query }) => query.key)].join('\n');
  const state = cursor === '' ? undefined : codec.decode(cursor, key);
  let position = state && positionOf(state);
  const resources: JsonObject[] = [];
  let last: JsonObject | undefined;
  for (const { name, query } of queries) {
    if (position && position.name !== name) continue;
    const start: PageStart = position?.start ?? { offset: 0 };
    position = undefined;
    // Read one more than requested to find out whether there is a next page.
    const wanted = count - resources.length;
    const page = await entriesOf(reader, name, query, start, wanted + 1);
    const shown = page.entries.slice(0, wanted);
    resources.push(...shown.map(({ document }) => document));
    const end = shown.at(-1);
    if (end) last = { name, id: end.id, key: end.sortKey };
    if (page.isCut || page.entries.length > wanted) {
      const total = state ? totalOf(state) : await countAll(reader, queries);
      const next = { ...(last ?? { name, id: null, key: null }), total: total ?? null };
      return listResponse({ totalResults: total, resources, nextCursor: codec.encode(next, key) });
    }
  }
  return listResponse({ totalResults: state ? totalOf(state) : resources.length, resources });
}

/** The matches when the first page was read: the pages after it do not count again. */
function totalOf({ total }: JsonObject): number | undefined {
  return typeof total === 'number' ? total : undefined;
}

async function countAll({ scope, sql }: Reader, queries: readonly NamedQuery[]): Promise<number> {
  let total = 0;
  for (const { name, query } of queries) {
    total += await countMatches(sql, name, listScopeOf(scope), query);
  }
  return total;
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

function listScopeOf({ directory, call: { revision, baseUrl } }: ScimScope): ListScope {
  return { directoryId: directory.id, revision, address: baseUrl };
}

interface Entries {
  entries: Entry[];
  /** The page ended early because of its size; there may be more. */
  isCut: boolean;
}

const NO_ENTRIES: Entries = { entries: [], isCut: false };

async function entriesOf(
  { scope, sql }: Reader,
  name: ResourceName,
  query: ListQuery,
  start: PageStart,
  limit: number,
): Promise<Entries> {
  const size = { rows: limit, bytes: scope.engine.limits.pageBytesMax };
  if (name === 'User') {
    const { rows, isCut } = await listUsers(sql, listScopeOf(scope), query, start, size);
    const entries = rows.map((row) => entryOf(query, row, userDocument(scope.call.baseUrl, row)));
    return { entries, isCut };
  }
  const { rows, isCut } = await listGroups(sql, listScopeOf(scope), query, start, size);
  const ids = rows.map(({ id }) => id);
  const showsMembers = query.selection.includes('members');
  // A page has at least one group, whatever its size.
  if (showsMembers) rows.forEach((row) => refuseOversized(scope, row));
  const members = showsMembers ? await membersOfGroups(sql, scope.directory.id, ids) : undefined;
  const entries = rows.map((row) =>
    entryOf(query, row, groupWithMembers(scope.call.baseUrl, row, members?.get(row.id))),
  );
  return { entries, isCut };
}

function entryOf(
  { selection }: ListQuery,
  { id, sortKey }: Listed<{ id: string }>,
  document: JsonObject,
): Entry {
  return { document: selectAttributes(document, selection), id, sortKey };
}
