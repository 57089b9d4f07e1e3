import { invalidPath, invalidValue } from '../errors/scim-error.js';
import { compareText } from '../filter/compare-text.js';
import { parseDateTime } from '../filter/date-time.js';
import { foldCase, isObject, own } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { parseAttributePath } from '../path/attribute-path.js';
import {
  type AttributeRef,
  attributeValue,
  refName,
  resolveAttribute,
} from '../path/attribute-ref.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { type ResourceType, subAttributesOf } from '../schema/resource-type.js';
import { isPrimary } from './elements.js';

/** Sorting by an attribute: RFC 7644 section 3.4.2.3. */

export interface BoundSort {
  /** The attribute; for a multi-valued one, `sub` is the sub-attribute that is compared. */
  ref: AttributeRef;
  /** The attribute whose values are compared. */
  leaf: AttributeDefinition;
  descending: boolean;
  /** Canonical text of path and direction. */
  key: string;
}

/**
 * Reads `sortBy` and `sortOrder`.
 *
 * @returns undefined when there is nothing to sort by: no `sortBy`, or an attribute that no
 *   schema has and on which all resources therefore are equal.
 * @throws ScimError 400 invalidPath or invalidValue
 */
export function bindSort(
  type: ResourceType,
  sortBy: string | undefined,
  sortOrder?: string,
): BoundSort | undefined {
  const descending = isDescending(sortOrder);
  if (sortBy === undefined || sortBy.trim() === '') {
    return undefined;
  }
  const path = parseAttributePath(sortBy.trim());
  if (path === undefined) {
    throw invalidPath('sortBy must be the name of an attribute.');
  }
  const ref = leafOf(resolveAttribute(type, path));
  const leaf = ref.sub === undefined ? ref.definition : ref.subDefinition;
  if (leaf === undefined || leaf.type === 'complex' || leaf.returned === 'never') {
    return undefined;
  }
  return { ref, leaf, descending, key: `${refName(ref)} ${descending ? 'desc' : 'asc'}` };
}

/**
 * A sorted copy. Resources without a value come last in ascending order and first in descending
 * order. The sort is stable.
 */
export function sortResources<T extends JsonObject>(resources: readonly T[], sort: BoundSort): T[] {
  const sign = sort.descending ? -1 : 1;
  return resources
    .map((resource) => ({ resource, key: sortValue(resource, sort) }))
    .sort((a, b) => sign * compareKeys(a.key, b.key))
    .map(({ resource }) => resource);
}

function isDescending(sortOrder: string | undefined): boolean {
  const order = (sortOrder ?? '').toLowerCase();
  if (order !== '' && order !== 'ascending' && order !== 'descending') {
    throw invalidValue('sortOrder must be ascending or descending.');
  }
  return order === 'descending';
}

/** A complex attribute is sorted by its `value`. */
function leafOf(ref: AttributeRef): AttributeRef {
  const value = ref.definition && subAttributesOf(ref.definition).get('value');
  const isComplex = ref.definition?.type === 'complex' && ref.sub === undefined;
  return isComplex && value !== undefined ? { ...ref, sub: value.name, subDefinition: value } : ref;
}

function sortValue(resource: JsonObject, { ref, leaf }: BoundSort): string | number | undefined {
  const element = chosenElement(attributeValue(resource, ref));
  const value =
    ref.sub === undefined ? element : isObject(element) ? own(element, ref.sub) : undefined;
  if (typeof value === 'string') {
    return leaf.type === 'dateTime'
      ? parseDateTime(value)
      : leaf.caseExact
        ? value
        : foldCase(value);
  }
  return typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : undefined;
}

function compareKeys(a: string | number | undefined, b: string | number | undefined): number {
  if (a === undefined || b === undefined) {
    return Number(a === undefined) - Number(b === undefined);
  }
  return typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b);
}

/** The primary element, or the first one. */
function chosenElement(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) ? (value.find(isPrimary) ?? value[0]) : value;
}
