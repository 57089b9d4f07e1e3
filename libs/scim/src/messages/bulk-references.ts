import { invalidValue } from '../errors/scim-error.js';
import { isObject } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { resourceTypes } from '../schema/resource-type.js';
import { type BulkOperation } from './bulk-request.js';

/** `bulkId:…` in place of the id of a resource that the same request creates. */

const DEPTH_MAX = 64;
export const BULK_ID_PREFIX = 'bulkId:';

/** A whole text, the last part of a reference, or a quoted value in the path of a PATCH. */
const REFERENCE_PATTERN = /(^|[/"])bulkId:([^\s"/\\[\]]{1,256})(?=$|")/g;

type Visit = (text: string) => string;

export interface SplitPost {
  operation: BulkOperation;
  /** The operations of a PATCH that adds what was removed; it refers to the given bulkIds. */
  additions: JsonObject[];
}

/** The bulkIds that an operation refers to, in its path and its data. */
export function referencesOf({ id, data }: BulkOperation): Set<string> {
  return new Set([...referencesIn(id ?? null), ...referencesIn(data ?? null)]);
}

function referencesIn(value: JsonValue): Set<string> {
  const found = new Set<string>();
  const visit: Visit = (text) => {
    for (const match of text.matchAll(REFERENCE_PATTERN)) {
      found.add(match[2]!);
    }
    return text;
  };
  mapTexts(value, visit);
  return found;
}

/** A text with its references replaced by ids, as far as these are known. */
export function resolveText(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replace(REFERENCE_PATTERN, (whole, before: string, bulkId: string) => {
    const id = ids.get(bulkId);
    return id === undefined ? whole : before + id;
  });
}

/** The operation with its references replaced by ids. */
export function resolveReferences(
  operation: BulkOperation,
  ids: ReadonlyMap<string, string>,
): BulkOperation {
  const visit: Visit = (text) => resolveText(text, ids);
  const { id, data } = operation;
  return {
    ...operation,
    ...(id === undefined ? {} : { id: visit(id) }),
    ...(data === undefined ? {} : { data: mapTexts(data, visit) }),
  };
}

/**
 * Removes what refers to the given bulkIds from a POST: attributes, or elements of those that are lists.
 * Resources that refer to each other, such as groups or managers, are created first and linked
 * afterwards.
 *
 * @returns undefined when the operation is no POST, or when an attribute that is required refers to them
 */
export function splitPost(
  operation: BulkOperation,
  bulkIds: ReadonlySet<string>,
): SplitPost | undefined {
  const { data, method, resourceType } = operation;
  if (method !== 'POST' || !isObject(data)) {
    return undefined;
  }
  const { schema } = resourceTypes.find(({ name }) => name === resourceType)!;
  const required = schema.attributes.filter((each) => each.required);
  const isRequired = (key: string) =>
    required.some(({ name }) => key.toLowerCase().split(':').pop() === name.toLowerCase());
  const kept: JsonObject = {};
  const additions: JsonObject[] = [];
  for (const [key, value = null] of Object.entries(data)) {
    const [rest, deferred] = splitValue(key, value, bulkIds);
    if (rest !== undefined) kept[key] = rest;
    if (deferred === undefined) continue;
    if (isRequired(key) || key.toLowerCase() === schema.id.toLowerCase()) return undefined;
    additions.push({ op: 'add', path: key, value: deferred });
  }
  return { operation: { ...operation, data: kept }, additions };
}

/** The part of a value without the references, and the part with them. */
function splitValue(
  key: string,
  value: JsonValue,
  bulkIds: ReadonlySet<string>,
): [JsonValue | undefined, JsonValue | undefined] {
  const isDeferred = (item: JsonValue | undefined) =>
    [...referencesIn(item ?? null)].some((bulkId) => bulkIds.has(bulkId));
  if (!isDeferred(value)) {
    return [value, undefined];
  }
  if (Array.isArray(value)) {
    return [value.filter((item) => !isDeferred(item)), value.filter(isDeferred)];
  }
  if (!isObject(value) || !key.includes(':')) {
    return [undefined, value];
  }
  const entries = Object.entries(value);
  return [
    Object.fromEntries(entries.filter(([, item]) => !isDeferred(item))),
    Object.fromEntries(entries.filter(([, item]) => isDeferred(item))),
  ];
}

function mapTexts(value: JsonValue, visit: Visit, depth = 0): JsonValue {
  if (depth > DEPTH_MAX) {
    throw invalidValue(`data is nested more than ${DEPTH_MAX} levels deep.`);
  }
  if (typeof value === 'string') {
    return value.includes(BULK_ID_PREFIX) ? visit(value) : value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => mapTexts(item, visit, depth + 1));
  }
  if (!isObject(value)) {
    return value;
  }
  const entries = Object.entries(value).map(
    ([name, item]) => [name, mapTexts(item ?? null, visit, depth + 1)] as const,
  );
  return Object.fromEntries(entries);
}
