/**
 * Queries of one resource type as SQL: filter, order, page. Everything is decided by PostgreSQL;
 * with a cursor a page starts by key, so that it costs the same wherever it lies.
 */
import {
  filterToSql,
  type ListQuery,
  SqlParameters,
  type SortSql,
  sortToSql,
} from '@gatehouse/scim';
import type { Executor } from '../../database/database.js';
import { GROUP_COLUMNS } from '../../groups/group.sql.js';
import type { GroupRow } from '../../groups/group.types.js';
import { GROUPS_OF_USER, RESOURCE_COLUMNS } from '../../users/user.repository.js';
import type { UserResourceRow } from '../../users/user.types.js';
import { GROUP_FILTER_COLUMNS, USER_FILTER_COLUMNS, withAddress } from '../resource-columns.js';
import type { ResourceName } from '../protocol/scim.types.js';

/** Where a page starts: after so many rows, or after the row with this sort key and id. */
export type PageStart = { offset: number } | { lastKey: string | null; lastId: string };

/** The directory that is read; only of this revision, where there is one. */
export interface Place {
  directoryId: string;
  revision: number | null;
  /** Its SCIM address. */
  address: string;
}

const CURRENT_REVISION = '(SELECT d.revision FROM dsync.directories d WHERE d.id = $1)';

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

/** How many resources a query matches in all. */
export async function countMatches(
  executor: Executor,
  resource: ResourceName,
  { directoryId, address }: Place,
  query: ListQuery,
): Promise<number> {
  const { table } = SHAPES[resource];
  const parameters = new SqlParameters(2);
  const where = withAddress(whereOf(resource, query, parameters), address, parameters);
  const text = `SELECT count(*)::integer AS total FROM ${table} WHERE ${where}`;
  const [row] = await executor.run<{ total: number }>({ text }, [
    directoryId,
    ...parameters.values,
  ]);
  return row?.total ?? 0;
}

export function listUsers(
  executor: Executor,
  place: Place,
  query: ListQuery,
  start: PageStart,
  limit: number,
): Promise<Listed<UserResourceRow>[]> {
  const groups = query.selection.includes('groups') ? GROUPS_OF_USER : 'NULL::json';
  const selected = `${RESOURCE_COLUMNS}, ${groups} AS groups`;
  return list<UserResourceRow>(executor, 'User', selected, place, query, start, limit);
}

export function listGroups(
  executor: Executor,
  place: Place,
  query: ListQuery,
  start: PageStart,
  limit: number,
): Promise<Listed<GroupRow>[]> {
  return list<GroupRow>(executor, 'Group', GROUP_COLUMNS, place, query, start, limit);
}

async function list<Row extends object>(
  executor: Executor,
  resource: ResourceName,
  selected: string,
  { directoryId, revision, address }: Place,
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
  return executor.run<Listed<Row>>(statement, [directoryId, ...parameters.values]);
}

/**
 * The statement of one page, yet without the address of the directory. Rows and groups are read for
 * what the page shows only. Its ids are found first, from an index alone where one serves; a page
 * that starts with the first match of a look-up is read as it is found.
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
  // A page that may run over two ranges takes as much of each, and its part of both.
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

/** Where a page starts, as conditions that no row meets two of. */
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

/** What identity providers look for before every write, and what is as rare as a key. */
const LOOKED_UP: Readonly<Record<ResourceName, readonly string[]>> = {
  User: ['id', 'userName', 'externalId'],
  Group: ['id', 'externalId', 'displayName'],
};

/**
 * Whether one plan fits the query whatever its values are, so that it may stay prepared. There are
 * few such texts; those of other filters have no end, and their best plan depends on the values.
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

/** The name under which a text stays prepared: always the same for the same text. */
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
