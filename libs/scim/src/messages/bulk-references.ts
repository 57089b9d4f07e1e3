import { invalidValue } from '../errors/scim-error.js';
import { isObject } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { type BulkOperation } from './bulk-request.js';

/** `bulkId:…` in place of the id of a resource that the same request creates. */

const DEPTH_MAX = 64;
const BULK_ID_PREFIX = 'bulkId:';

/** A whole text, the last part of a reference, or a quoted value in the path of a PATCH. */
const REFERENCE_PATTERN = /(^|[/"])bulkId:([^\s"/\\[\]]{1,256})(?=$|")/g;

type Visit = (text: string) => string;

export interface SplitGroup {
  operation: BulkOperation;
  /** The removed members; they refer to the given bulkIds. */
  members: JsonObject[];
}

/** The bulkIds that an operation refers to, in its path and its data. */
export function referencesOf({ id, data }: BulkOperation): Set<string> {
  const found = new Set<string>();
  const visit: Visit = (text) => {
    for (const match of text.matchAll(REFERENCE_PATTERN)) {
      found.add(match[2]!);
    }
    return text;
  };
  mapTexts(id ?? null, visit);
  mapTexts(data ?? null, visit);
  return found;
}

/** The operation with its references replaced by ids. */
export function resolveReferences(
  operation: BulkOperation,
  ids: ReadonlyMap<string, string>,
): BulkOperation {
  const visit: Visit = (text) =>
    text.replace(REFERENCE_PATTERN, (whole, before: string, bulkId: string) => {
      const id = ids.get(bulkId);
      return id === undefined ? whole : before + id;
    });
  const { id, data } = operation;
  return {
    ...operation,
    ...(id === undefined ? {} : { id: visit(id) }),
    ...(data === undefined ? {} : { data: mapTexts(data, visit) }),
  };
}

/**
 * Removes the members that refer to the given bulkIds from the POST of a group, so that groups that
 * contain each other can be created first and linked afterwards.
 *
 * @returns undefined when the operation refers to them elsewhere too
 */
export function splitGroup(
  operation: BulkOperation,
  bulkIds: ReadonlySet<string>,
): SplitGroup | undefined {
  const { data, method, resourceType } = operation;
  if (method !== 'POST' || resourceType !== 'Group' || !isObject(data)) {
    return undefined;
  }
  const key = Object.keys(data).find((name) => name.toLowerCase() === 'members');
  const list = key === undefined ? undefined : data[key];
  if (key === undefined || !Array.isArray(list)) {
    return undefined;
  }
  const isDeferred = (element: JsonValue) => bulkIds.has(memberReference(element) ?? '');
  const rest = { ...operation, data: { ...data, [key]: list.filter((each) => !isDeferred(each)) } };
  const remaining = referencesOf(rest);
  if ([...bulkIds].some((bulkId) => remaining.has(bulkId))) {
    return undefined;
  }
  const members = list.filter(isDeferred).map((each) => (isObject(each) ? each : { value: each }));
  return { operation: rest, members };
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

function memberReference(element: JsonValue): string | undefined {
  const value = isObject(element) ? element.value : element;
  return typeof value === 'string' && value.startsWith(BULK_ID_PREFIX)
    ? value.slice(BULK_ID_PREFIX.length)
    : undefined;
}
