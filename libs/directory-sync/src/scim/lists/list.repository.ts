/**
 * Queries of one resource type as SQL: filter, order, page. PostgreSQL does all of it; with a
 * cursor, a page starts at a key, so its cost does not depend on its position.
 */
import {
  type FilterColumns,
  filterToSql,
  type ListQuery,
  SqlParameters,
  type SortSql,
  sortToSql,
} from '@gatehouse/scim';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { cutAtSize } from '../../database/cut-at-size.js';
import { withAddress } from '../../database/filter-columns.js';
import { GROUP_COLUMNS, MEMBER_BYTES } from '../../groups/group.sql.js';
import { type GroupRow } from '../../groups/group.types.js';
import { GROUP_FILTER_COLUMNS } from '../../groups/group-filter.columns.js';
import { GROUPS_OF_USER, RESOURCE_COLUMNS } from '../../users/user.sql.js';
import { type UserResourceRow } from '../../users/user.types.js';
import { USER_FILTER_COLUMNS } from '../../users/user-filter.columns.js';
import { type ResourceName } from '../protocol/scim.types.js';

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

export interface PageSize {
  rows: number;
  /** All rows after the first stay within this size in total. */
  bytes: number;
}

export type Listed<Row> = Row & { sortKey: string | null };

export interface Page<Row> {
  rows: Listed<Row>[];
  /** The page ended early because of its size. */
  isCut: boolean;
}

interface Shape {
  table: string;
  id: string;
  alias: string;
}

const SHAPES: Readonly<Record<ResourceName, Shape>> = {
  User: { table: 'dsync.users u', id: 'u.id', alias: 'u' },
  Group: { table: 'dsync.groups g', id: 'g.id', alias: 'g' },
};

export const FILTER_COLUMNS: Readonly<Record<ResourceName, FilterColumns>> = {
  User: USER_FILTER_COLUMNS,
  Group: GROUP_FILTER_COLUMNS,
};

/** The columns that a list reads of each row. */
export interface Selected {
  columns: string;
  /** Expressions with a name, computed once for each row. */
  computed?: string;
  /** The size of a row in the response. */
  bytes: string;
}

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
  size: PageSize,
): Promise<Page<UserResourceRow>> {
  const selected = query.selection.includes('groups')
    ? {
        columns: `${RESOURCE_COLUMNS}, u.groups`,
        computed: `${GROUPS_OF_USER} AS groups`,
        bytes: 'u.raw_bytes + octet_length(u.groups::text)',
      }
    : { columns: `${RESOURCE_COLUMNS}, NULL::json AS groups`, bytes: 'u.raw_bytes' };
  return list<UserResourceRow>(sql, 'User', selected, scope, query, start, size);
}

export function listGroups(
  sql: SqlExecutor,
  scope: ListScope,
  query: ListQuery,
  start: PageStart,
  size: PageSize,
): Promise<Page<GroupRow>> {
  const members = query.selection.includes('members')
    ? ` + g.member_count::bigint * ${MEMBER_BYTES}`
    : '';
  const selected = { columns: GROUP_COLUMNS, bytes: `g.raw_bytes${members}` };
  return list<GroupRow>(sql, 'Group', selected, scope, query, start, size);
}

async function list<Row extends object>(
  sql: SqlExecutor,
  resource: ResourceName,
  selected: Selected,
  { directoryId, revision, address }: ListScope,
  query: ListQuery,
  start: PageStart,
  size: PageSize,
): Promise<Page<Row>> {
  const parameters = new SqlParameters(2);
  const text = withAddress(
    listText(resource, selected, query, start, size, parameters, revision),
    address,
    parameters,
  );
  const isPrepared = !query.sort && (!query.filter || isLookup(resource, query));
  const statement = isPrepared ? { name: nameOf(text), text } : { text };
  const rows = await sql.rows<Listed<Row> & { found: number | null }>(statement, [
    directoryId,
    ...parameters.values,
  ]);
  return { rows, isCut: rows.length < (rows[0]?.found ?? 0) };
}

/**
 * The statement of one page, with a placeholder for the address of the directory. It finds the ids
 * first, from an index alone if possible, and reads rows and groups only for the page; `found` is
 * their number before the page is cut at its size. The first page of a lookup is read directly.
 */
export function listText(
  resource: ResourceName,
  selected: Selected,
  query: ListQuery,
  start: PageStart,
  size: PageSize,
  parameters: SqlParameters,
  revision: number | null = null,
): string {
  const { table, id, alias } = SHAPES[resource];
  const sort = query.sort && sortToSql(query.sort, FILTER_COLUMNS[resource]);
  const order = sort ? sort.orderBy(id) : id;
  const conditions = [whereOf(resource, query, parameters)];
  if (revision !== null) conditions.push(`${CURRENT_REVISION} = ${parameters.add(revision)}`);
  const offset =
    'offset' in start && start.offset > 0 ? `OFFSET ${parameters.add(start.offset)}` : '';
  const cut = `ORDER BY ${order} ${offset} LIMIT ${parameters.add(size.rows)}`;
  const pages = rangesOf(start, sort, id, parameters).map(
    (range) => `SELECT * FROM ${table} WHERE ${[...conditions, range].join(' AND ')} ${cut}`,
  );
  // A page that may span two ranges reads up to the limit of each and cuts the result.
  const page =
    pages.length === 1
      ? `(${pages[0]}) ${alias}`
      : `(SELECT * FROM ((${pages.join(') UNION ALL (')})) ${alias} ${cut}) ${alias}`;
  const { columns, computed = 'NULL AS nothing', bytes } = selected;
  if (query.filter && isUnique(resource, query) && offset === '') {
    return `SELECT ${columns}, NULL::text AS "sortKey", NULL::integer AS found
      FROM (SELECT ${alias}.*, ${computed} FROM ${page}) ${alias}`;
  }
  const cutPage = cutAtSize({
    alias,
    source: `SELECT ${alias}.*, page.sort_key, page.position, ${computed}
      FROM page JOIN ${table} ON ${id} = page.id`,
    columns: `${columns}, ${alias}.sort_key AS "sortKey",
      (SELECT count(*)::integer FROM page) AS found`,
    bytes,
    bytesMax: parameters.add(size.bytes),
  });
  return `WITH page AS MATERIALIZED (
      SELECT ${id}, ${sort ? sort.key : 'NULL::text'} AS sort_key,
        row_number() OVER () AS position
      FROM ${page})
    ${cutPage}`;
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

const UNIQUE: Readonly<Record<ResourceName, readonly string[]>> = {
  User: ['id', 'userName'],
  Group: ['id'],
};

/**
 * Whether the filter looks up one value. One plan suits such a query for all values, so that it can
 * be prepared, and there are few such statements. The number of other filters is unlimited and their
 * best plan depends on the values.
 */
export function isLookup(resource: ResourceName, query: ListQuery): boolean {
  return !query.sort && isEqualTo(LOOKED_UP[resource], query.filter);
}

/** Whether the query finds at most one resource. */
function isUnique(resource: ResourceName, query: ListQuery): boolean {
  return !query.sort && isEqualTo(UNIQUE[resource], query.filter);
}

function isEqualTo(attributes: readonly string[], filter: ListQuery['filter']): boolean {
  if (filter?.kind !== 'test' || filter.test.type !== 'text') return false;
  const { name = '', sub, extension } = filter.ref;
  const isOwn = sub === undefined && extension === undefined;
  return isOwn && filter.test.operator === 'eq' && attributes.includes(name);
}

const names = new Map<string, string>();

/** The name of a prepared statement: the same for the same text. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `dsync_list_${names.size + 1}`;
  names.set(text, name);
  return name;
}

function whereOf(resource: ResourceName, query: ListQuery, parameters: SqlParameters): string {
  const inDirectory = `${SHAPES[resource].alias}.directory_id = $1`;
  if (!query.filter) return inDirectory;
  return `${inDirectory} AND (${filterToSql(query.filter, FILTER_COLUMNS[resource], parameters)})`;
}
