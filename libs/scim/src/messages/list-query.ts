import { invalidSyntax, invalidValue, ScimError } from '../errors/scim-error.js';
import { type BoundFilter } from '../filter/bound-filter.js';
import { type FilterOptions } from '../filter/filter-ast.js';
import { bindFilter } from '../filter/filter-binder.js';
import { parseFilter } from '../filter/filter-parser.js';
import { printFilter } from '../filter/filter-printer.js';
import { findKey, isObject, ownAnyCase } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { bindSort, type BoundSort } from '../resource/sort.js';
import { checkMessageSchema } from '../schema/message-schema.js';
import { type ResourceType } from '../schema/resource-type.js';
import {
  type AttributeParameters,
  type AttributeSelection,
  parseSelection,
} from '../selection/attribute-selection.js';

/**
 * Query parameters from a URL (RFC 7644 section 3.4.2, RFC 9865 section 2) or from the body of a
 * POST to .search (section 3.4.3).
 */

export const SEARCH_REQUEST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

export interface ListLimits {
  pageSizeDefault: number;
  pageSizeMax: number;
  filter?: FilterOptions;
}

export type PageRequest =
  | { mode: 'index'; startIndex: number; count: number }
  /** An empty cursor asks for the first page. */
  | { mode: 'cursor'; cursor: string; count: number };

export interface ListQuery {
  filter?: BoundFilter;
  sort?: BoundSort;
  selection: AttributeSelection;
  page: PageRequest;
  /** Canonical text of type, filter and sort; cursors are bound to it. */
  key: string;
}

interface Parameters extends AttributeParameters {
  filter?: string;
  sortBy?: string;
  sortOrder?: string;
  startIndex?: string | number;
  count?: string | number;
  cursor?: string;
}

/**
 * Reads the query of a URL. Unknown parameters are ignored.
 *
 * @throws ScimError 400 invalidFilter, invalidPath, invalidValue or invalidCount, naming the
 *   parameter
 * @example
 * const query = parseListQuery(request.query, userResourceType, limits);
 */
export function parseListQuery(
  query: Record<string, unknown>,
  type: ResourceType,
  limits: ListLimits,
): ListQuery {
  return buildQuery(
    {
      filter: queryText(query, 'filter'),
      sortBy: queryText(query, 'sortBy'),
      sortOrder: queryText(query, 'sortOrder'),
      ...selectionParameters(query),
      startIndex: queryText(query, 'startIndex'),
      count: queryText(query, 'count'),
      cursor: queryText(query, 'cursor'),
    },
    type,
    limits,
  );
}

/**
 * Reads `attributes` and `excludedAttributes` of the URL of a request on one resource.
 *
 * @throws ScimError 400 invalidValue, naming the parameter
 */
export function parseSelectionQuery(
  query: Record<string, unknown>,
  type: ResourceType,
): AttributeSelection {
  return parseSelection(selectionParameters(query), type);
}

/**
 * Reads the body of a POST to `.search`.
 *
 * @throws ScimError as `parseListQuery`, and 400 invalidSyntax for another message
 */
export function parseSearchRequest(
  body: unknown,
  type: ResourceType,
  limits: ListLimits,
): ListQuery {
  if (!isObject(body)) {
    throw invalidSyntax('The body must be a JSON object.');
  }
  checkMessageSchema(body, SEARCH_REQUEST_SCHEMA);
  return buildQuery(
    {
      filter: bodyText(body, 'filter'),
      sortBy: bodyText(body, 'sortBy'),
      sortOrder: bodyText(body, 'sortOrder'),
      attributes: bodyNames(body, 'attributes'),
      excludedAttributes: bodyNames(body, 'excludedAttributes'),
      startIndex: bodyNumber(body, 'startIndex'),
      count: bodyNumber(body, 'count'),
      cursor: bodyText(body, 'cursor'),
    },
    type,
    limits,
  );
}

function buildQuery(parameters: Parameters, type: ResourceType, limits: ListLimits): ListQuery {
  const parsed =
    parameters.filter === undefined ? undefined : parseFilter(parameters.filter, limits.filter);
  const sort = bindSort(type, parameters.sortBy, parameters.sortOrder);
  const filterText = parsed === undefined ? '' : printFilter(parsed);
  return {
    ...(parsed === undefined ? {} : { filter: bindFilter(parsed, type) }),
    ...(sort === undefined ? {} : { sort }),
    selection: parseSelection(parameters, type),
    page: pageOf(parameters, limits),
    key: JSON.stringify([type.name, filterText, sort?.key ?? '']),
  };
}

/**
 * The first value of a parameter counts; a parameter without a value is the empty string. Names
 * ignore case: Entra ID sends `startindex`.
 */
function queryText(query: Record<string, unknown>, name: string): string | undefined {
  return queryTexts(query, name)?.[0];
}

function selectionParameters(query: Record<string, unknown>): AttributeParameters {
  return {
    attributes: queryTexts(query, 'attributes'),
    excludedAttributes: queryTexts(query, 'excludedAttributes'),
  };
}

function bodyText(body: JsonObject, name: string): string | undefined {
  const value = member(body, name);
  if (value !== undefined && typeof value !== 'string') {
    throw invalidValue(`${name} must be a text.`);
  }
  return value;
}

function bodyNames(body: JsonObject, name: string): string | string[] | undefined {
  const value = member(body, name);
  if (value === undefined || typeof value === 'string') {
    return value;
  }
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw invalidValue(`${name} must be a list of attribute names.`);
  }
  return value;
}

function bodyNumber(body: JsonObject, name: string): string | number | undefined {
  const value = member(body, name);
  if (value !== undefined && typeof value !== 'number' && typeof value !== 'string') {
    throw invalidValue(`${name} must be a whole number.`);
  }
  return value;
}

function pageOf(parameters: Parameters, limits: ListLimits): PageRequest {
  const { cursor } = parameters;
  const scimType = cursor === undefined ? 'invalidValue' : 'invalidCount';
  const asked = integer(parameters.count, 'count', scimType) ?? limits.pageSizeDefault;
  const count = Math.min(Math.max(asked, 0), limits.pageSizeMax);
  if (cursor !== undefined) {
    return { mode: 'cursor', cursor, count };
  }
  const startIndex = Math.max(integer(parameters.startIndex, 'startIndex') ?? 1, 1);
  return { mode: 'index', startIndex, count };
}

/** The values of a parameter that may be repeated. */
function queryTexts(query: Record<string, unknown>, name: string): string[] | undefined {
  const key = findKey(query, name);
  const value = key === undefined ? undefined : query[key];
  if (value === undefined || value === null) {
    return undefined;
  }
  return [value].flat().map((each: unknown) => {
    if (typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean') {
      return String(each);
    }
    throw invalidValue(`${name} must be a text.`);
  });
}

function member(body: JsonObject, name: string): JsonValue | undefined {
  return ownAnyCase(body, name) ?? undefined;
}

function integer(
  value: string | number | undefined,
  name: string,
  scimType: 'invalidValue' | 'invalidCount' = 'invalidValue',
): number | undefined {
  if (value === undefined || value === '') {
    return undefined;
  }
  const text = String(value).trim();
  if (!/^[+-]?\d+$/.test(text)) {
    throw new ScimError(400, scimType, `${name} must be a whole number.`);
  }
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
