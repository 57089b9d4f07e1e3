import { filterCost, isIndexedSort, type ListQuery } from '@gatehouse/scim';
import { type QueryClass } from '../../searches/searches.js';
import { checkFilterCost } from '../protocol/filter-cost.js';
import { type ResourceName } from '../protocol/scim.types.js';
import { FILTER_COLUMNS, isLookup } from './list.repository.js';

/** Rows that a page may skip; an index returns them one by one. */
const SKIPPED_MAX = 1_000;

const CLASSES = ['lookup', 'page', 'search'] as const satisfies QueryClass[];

/**
 * The most expensive class of the queries of one request.
 *
 * @throws ScimError 400 `tooMany` if a filter costs too much
 */
export function queryClassOf(
  queries: readonly { name: ResourceName; query: ListQuery }[],
  costMax: number,
): QueryClass {
  const ranks = queries.map(({ name, query }) => CLASSES.indexOf(classOf(name, query, costMax)));
  return CLASSES[Math.max(...ranks)] ?? 'search';
}

function classOf(name: ResourceName, query: ListQuery, costMax: number): QueryClass {
  const { filter, sort, page } = query;
  const columns = FILTER_COLUMNS[name];
  const cost = filter && filterCost(filter, columns);
  if (cost) checkFilterCost(cost, costMax);
  const skipped = page.mode === 'index' ? page.startIndex - 1 : 0;
  if (isLookup(name, query) && skipped === 0) return 'lookup';
  const isIndexed = cost?.isIndexed !== false && (!sort || isIndexedSort(sort, columns));
  return isIndexed && skipped <= SKIPPED_MAX ? 'page' : 'search';
}
