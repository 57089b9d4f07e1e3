/**
 * Queries of one resource type as SQL: filter, order, page. PostgreSQL does all of it; with a
 * cursor, a page starts at a key, so its cost does not depend on its position.
 */
import {
  filterToSql,
  type ListQuery,
  SqlParameters,
  type SortSql,
  sortToSql,
} from '@gatehouse/scim';
import type { SqlExecutor } from '@gatehouse/service-kit';
import { withAddress } from '../../database/filter-columns.js';
import { GROUP_COLUMNS } from '../../groups/group.sql.js';
import type { GroupRow } from '../../groups/group.types.js';
import { GROUP_FILTER_COLUMNS } from '../../groups/group-filter.columns.js';
import { GROUPS_OF_USER, RESOURCE_COLUMNS } from '../../users/user.sql.js';
import type { UserResourceRow } from '../../users/user.types.js';
import { USER_FILTER_COLUMNS } from '../../users/user-filter.columns.js';
import type { ResourceName } from '../protocol/scim.types.js';

/** The start of a page: after a number of rows, or after the row with this sort key and id. */
export type PageStart = { offset: number } | { lastKey: string | null; lastId: string };

/** The directory to read. */
export interface ListScope {
  directoryId: string;
  /** Match only if the directory has this revision; null for any. */
  revision: number | null;
  /** Its SCIM address. */
  address: string;
}

export type Listed<Row> = Row & { sortKey: string | null };

interface Shape {
  table: string;
  id: string;
  alias: string;
  columns: typeof USER_FILTER_COLUMNS;
}

const SHAPES: Readonly<Record<ResourceName, Shape>> = {
  User: { table: 'dsync.users u', id: 'u.id', alias: 'u', columns: USER_FILTER_COLUMNS },
  Group: { table: 'dsync.groups g', id: 'g.id', alias: 'g', columns: GROUP_FILTER_COLUMNS },
};

const CURRENT_REVISION = '(SELECT d.revision FROM dsync.directories d WHERE d.id = $1)';

/** The number of resources that match a query. */
export async function countMatches(
  sql: SqlExecutor,
  resource: ResourceName,
  { directoryId, address }: ListScope,
  query: ListQuery,
): Promise<number> {
  const { table } = SHAPES[resource];
  const parameters = new SqlParameters(2);
  const where = withAddress(whereOf(resource, query, parameters), address, parameters);
  const text = `SELECT count(*)::integer AS total FROM ${table} WHERE ${where}`;
  const [row] = await sql.rows<{ total: number }>({ text }, [directoryId, ...parameters.values]);
  return row?.total ?? 0;
}

export function listUsers(
  sql: SqlExecutor,
  scope: ListScope,
  query: ListQuery,
  start: PageStart,
  limit: number,
): Promise<Listed<UserResourceRow>[]> {
  const groups = query.selection.includes('groups') ? GROUPS_OF_USER : 'NULL::json';
  const selected = `${RESOURCE_COLUMNS}, ${groups} AS groups`;
  return list<UserResourceRow>(sql, 'User', selected, scope, query, start, limit);
}

export function listGroups(
  sql: SqlExecutor,
  scope: ListScope,
  query: ListQuery,
  start: PageStart,
  limit: number,
): Promise<Listed<GroupRow>[]> {
  return list<GroupRow>(sql, 'Group', GROUP_COLUMNS, scope, query, start, limit);
}

async function list<Row extends object>(
  sql: SqlExecutor,
  resource: ResourceName,
  selected: string,
  { directoryId, revision, address }: ListScope,
  query: ListQuery,
  start: PageStart,
  limit: number,
): Promise<Listed<Row>[]> {
  const parameters = new SqlParameters(2);
  const text = withAddress(
    listText(resource, selected, query, start, limit, parameters, revision),
    address,
    parameters,
  );
  const statement = isLookup(resource, query) ? { name: nameOf(text), text } : { text };
  return sql.rows<Listed<Row>>(statement, [directoryId, ...parameters.values]);
}

/**
 * The statement of one page, with a placeholder for the address of the directory. It finds the ids
 * first, from an index alone if possible, and reads rows and groups only for the page. The first
 * page of a lookup is read directly.
 */
export function listText(
  resource: ResourceName,
  selected: string,
  query: ListQuery,
  start: PageStart,
  limit: number,
  parameters: SqlParameters,
  revision: number | null = null,
): string {
  const { table, id, alias, columns } = SHAPES[resource];
  const sort = query.sort && sortToSql(query.sort, columns);
  const order = sort ? sort.orderBy(id) : id;
  const conditions = [whereOf(resource, query, parameters)];
  if (revision !== null) conditions.push(`${CURRENT_REVISION} = ${parameters.add(revision)}`);
  const offset =
    'offset' in start && start.offset > 0 ? `OFFSET ${parameters.add(start.offset)}` : '';
  const cut = `ORDER BY ${order} ${offset} LIMIT ${parameters.add(limit)}`;
  const pages = rangesOf(start, sort, id, parameters).map(
    (range) => `SELECT * FROM ${table} WHERE ${[...conditions, range].join(' AND ')} ${cut}`,
  );
  // A page that may span two ranges reads up to the limit of each and cuts the result.
  const page =
    pages.length === 1
      ? `(${pages[0]}) ${alias}`
      : `(SELECT * FROM ((${pages.join(') UNION ALL (')})) ${alias} ${cut}) ${alias}`;
  if (query.filter && isLookup(resource, query) && offset === '') {
    return `SELECT ${selected}, NULL::text AS "sortKey" FROM ${page} ORDER BY ${id}`;
  }
  return `WITH page AS MATERIALIZED (
      SELECT ${id}, ${sort ? sort.key : 'NULL::text'} AS sort_key,
        row_number() OVER () AS position
      FROM ${page})
    SELECT ${selected}, page.sort_key AS "sortKey"
    FROM page JOIN ${table} ON ${id} = page.id
    ORDER BY page.position`;
}

/** The start of a page as disjoint conditions, in order. */
function rangesOf(
  start: PageStart,
  sort: SortSql | undefined,
  id: string,
  parameters: SqlParameters,
): string[] {
  if (!('lastId' in start)) return ['TRUE'];
  if (sort) return sort.after(start.lastKey, id, start.lastId, parameters);
  return [`${id} > ${parameters.add(start.lastId)}`];
}

/** Attributes that identity providers look up before each write; values are (nearly) unique. */
const LOOKED_UP: Readonly<Record<ResourceName, readonly string[]>> = {
  User: ['id', 'userName', 'externalId'],
  Group: ['id', 'externalId', 'displayName'],
};

/**
 * Whether one plan suits the query for all values, so that it can be prepared. There are few such
 * statements. The number of other filters is unlimited and their best plan depends on the values.
 */
function isLookup(resource: ResourceName, { filter, sort }: ListQuery): boolean {
  if (sort) return false;
  if (!filter) return true;
  if (filter.kind !== 'test' || filter.test.type !== 'text') return false;
  const { name = '', sub, extension } = filter.ref;
  const isOwn = sub === undefined && extension === undefined;
  return isOwn && filter.test.operator === 'eq' && LOOKED_UP[resource].includes(name);
}

const names = new Map<string, string>();

/** The name of a prepared statement: the same for the same text. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `dsync_list_${names.size + 1}`;
  names.set(text, name);
  return name;
}

function whereOf(resource: ResourceName, query: ListQuery, parameters: SqlParameters): string {
  const { alias, columns } = SHAPES[resource];
  const inDirectory = `${alias}.directory_id = $1`;
  if (!query.filter) return inDirectory;
  return `${inDirectory} AND (${filterToSql(query.filter, columns, parameters)})`;
}
