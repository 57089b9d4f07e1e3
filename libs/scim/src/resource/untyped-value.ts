import { isBlank, isObject, isUnassigned, keyFinder, own } from '../json/json-access.js';
import { cleanJson } from '../json/json-clean.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { addElements, uniqueElements } from './elements.js';

/**
 * Values that no schema describes. They follow the rules of the others as far as their shape shows
 * them: a list is multi-valued, an object is complex, and null, [] and {} are absent (RFC 7643
 * section 2.5).
 */

/**
 * The value in canonical form.
 *
 * @returns undefined when it is unassigned
 * @throws ScimError 400 invalidValue naming the path, as `cleanJson` does
 */
export function untypedValue(value: JsonValue, path: string): JsonValue | undefined {
  return assigned(cleanJson(value, path));
}

/**
 * The value after an add or a replace (RFC 7644 sections 3.5.2.1 and 3.5.2.3): add appends to lists,
 * and both merge objects, whose names ignore case.
 *
 * @param value checked by `cleanJson`; it may name absent values, which are removed
 * @param spend counts the visited elements and names
 */
export function mergeUntyped(
  op: 'add' | 'replace',
  current: JsonValue | undefined,
  value: JsonValue,
  spend: (work: number) => void,
): JsonValue | undefined {
  const isList = Array.isArray(current);
  if (isBlank(value)) {
    return isList && op === 'add' ? current : undefined;
  }
  if (isList || (op === 'add' && Array.isArray(value) && !isUnassigned(current))) {
    const added = asList(assigned(value));
    if (op === 'replace') return added;
    const present = asList(current);
    spend(present.length + added.length);
    return addElements(undefined, present, added);
  }
  return isObject(current) && isObject(value)
    ? mergeObjects(op, current, value, spend)
    : assigned(value);
}

function mergeObjects(
  op: 'add' | 'replace',
  current: JsonObject,
  value: JsonObject,
  spend: (work: number) => void,
): JsonObject | undefined {
  const entries = Object.entries(value);
  spend(Object.keys(current).length + entries.length);
  const keyOf = keyFinder(current);
  const result = { ...current };
  for (const [name, item = null] of entries) {
    const key = keyOf(name) ?? name;
    const next = mergeUntyped(op, own(current, key), item, spend);
    if (next === undefined) delete result[key];
    else result[key] = next;
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

function assigned(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) {
    const elements = value.map(assigned).filter((each) => each !== undefined);
    return elements.length === 0 ? undefined : uniqueElements(undefined, elements);
  }
  if (!isObject(value)) {
    return value ?? undefined;
  }
  const entries = Object.entries(value)
    .map(([name, item]) => [name, assigned(item)] as const)
    .filter(([, item]) => item !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function asList(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
