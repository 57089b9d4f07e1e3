import { invalidValue } from '../errors/scim-error.js';
import { parseDateTime } from '../filter/date-time.js';
import { isObject, own } from '../json/json-access.js';
import { checkNames, checkText, cleanJson, NameGuard } from '../json/json-clean.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { subAttributesOf } from '../schema/resource-type.js';
import { uniqueElements } from './elements.js';

/**
 * Converts the value of one attribute to the type in the schema. It tolerates what identity
 * providers send: booleans as text, one object for a list, a text for an element, a list of one for a
 * single complex value. Other mismatches are 400 invalidValue that names the attribute.
 */

/** Maximum number of elements of a multi-valued attribute, except the members of a group. */
export const ELEMENTS_MAX = 1000;

/** One value: the value of a singular attribute, or one element of a multi-valued one. */
export function normalizeElement(
  definition: AttributeDefinition,
  value: JsonValue,
  path: string,
): JsonValue | undefined {
  if (value === null) {
    return undefined;
  }
  return definition.type === 'complex'
    ? normalizeComplex(definition, value, path)
    : normalizeScalar(definition, value, path);
}

/** The elements of a multi-valued attribute without unassigned ones and duplicates. */
export function normalizeElements(
  definition: AttributeDefinition,
  value: JsonValue,
  path: string,
): JsonValue[] {
  const items = Array.isArray(value) ? value : itemsOf(definition, value);
  if (items.length > ELEMENTS_MAX && definition.name !== 'members') {
    throw invalidValue(`${path} has more than ${ELEMENTS_MAX} values.`);
  }
  const elements: JsonValue[] = [];
  for (const item of items) {
    const element = normalizeElement(definition, item, path);
    if (element !== undefined) {
      elements.push(element);
    }
  }
  return uniqueElements(definition, elements);
}

/**
 * The value of an attribute in canonical form.
 *
 * @returns undefined when the attribute is unassigned: null, an empty list, an empty object.
 * @throws ScimError 400 invalidValue naming `path`.
 */
export function normalizeValue(
  definition: AttributeDefinition,
  value: JsonValue,
  path: string,
): JsonValue | undefined {
  if (value === null) {
    return undefined;
  }
  if (definition.multiValued) {
    const elements = normalizeElements(definition, value, path);
    return elements.length === 0 ? undefined : elements;
  }
  if (Array.isArray(value) && definition.type === 'complex') {
    const [first, ...rest] = value.filter((each) => each !== null);
    if (rest.length > 0) throw wrongType(path, 'one object');
    return first === undefined ? undefined : normalizeElement(definition, first, path);
  }
  return normalizeElement(definition, value, path);
}

/** One value stands for a list of one; a text of roles may list several. */
function itemsOf({ name }: AttributeDefinition, value: JsonValue): JsonValue[] {
  if (name !== 'roles' || typeof value !== 'string') return [value];
  return value
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
}

/**
 * Takes a list of one for its only element, and an object with a `value` for that value, where the
 * attribute has a single simple value. Clients of Entra ID send both.
 */
export function unwrapped({ multiValued, type }: AttributeDefinition, value: JsonValue): JsonValue {
  if (multiValued || !Array.isArray(value) || value.length !== 1) return value;
  const [only = null] = value;
  const inner = isObject(only) && type !== 'complex' ? own(only, 'value') : undefined;
  return inner ?? only;
}

function normalizeComplex(
  definition: AttributeDefinition,
  value: JsonValue,
  path: string,
): JsonObject | undefined {
  const source = asComplex(definition, value, path);
  const index = subAttributesOf(definition);
  checkNames(source, path);
  const guard = new NameGuard(path);
  const result: JsonObject = {};
  let isEmpty = true;
  for (const [name, item] of Object.entries(source)) {
    guard.check(name);
    const sub = index.get(modernName(definition, name.toLowerCase()));
    if (item === null || item === undefined || sub?.mutability === 'readOnly') {
      continue;
    }
    const subPath = `${path}.${sub?.name ?? name}`;
    const clean =
      sub === undefined ? cleanJson(item, subPath) : normalizeScalar(sub, item, subPath);
    result[sub?.name ?? name] = clean;
    isEmpty = false;
  }
  return isEmpty ? undefined : result;
}

function normalizeScalar(definition: AttributeDefinition, value: JsonValue, path: string) {
  switch (definition.type) {
    case 'boolean':
      return normalizeBoolean(value, path);
    case 'integer':
    case 'decimal':
      return normalizeNumber(definition, value, path);
    case 'dateTime': {
      const text = normalizeText(definition, value, path);
      if (parseDateTime(text) === undefined) {
        throw wrongType(path, 'a date and time such as 2026-01-31T12:00:00Z');
      }
      return text;
    }
    default:
      return normalizeText(definition, value, path);
  }
}

/** Reads a text in place of an object as its `value` (RFC 7643 section 2.4). */
function asComplex(definition: AttributeDefinition, value: JsonValue, path: string): JsonObject {
  if (isObject(value)) {
    return value;
  }
  const hasValue = subAttributesOf(definition).has('value');
  if (typeof value === 'string' && hasValue) {
    return { value };
  }
  throw wrongType(path, hasValue ? 'an object or a text' : 'an object');
}

/** SCIM 1.1 calls the value of a manager `managerId`. */
function modernName(definition: AttributeDefinition, name: string): string {
  return definition.name === 'manager' && name === 'managerid' ? 'value' : name;
}

function normalizeBoolean(value: JsonValue, path: string): boolean {
  if (typeof value === 'boolean') {
    return value;
  }
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text !== 'true' && text !== 'false') {
    throw wrongType(path, 'true or false');
  }
  return text === 'true';
}

function normalizeNumber(definition: AttributeDefinition, value: JsonValue, path: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const isWhole = definition.type !== 'integer' || Number.isInteger(number);
  if (typeof number !== 'number' || !Number.isFinite(number) || !isWhole) {
    throw wrongType(path, definition.type === 'integer' ? 'a whole number' : 'a number');
  }
  return number;
}

function normalizeText(definition: AttributeDefinition, value: JsonValue, path: string): string {
  // A number beyond 2^53 has lost digits already.
  if (typeof value === 'number' && !definition.required && Math.abs(value) < 2 ** 53) {
    return String(value);
  }
  if (typeof value !== 'string') {
    throw wrongType(path, 'a text');
  }
  if (definition.required && value.trim() === '') {
    throw wrongType(path, 'a text that is not empty');
  }
  return checkText(value, path);
}

function wrongType(path: string, wanted: string): Error {
  return invalidValue(`${path} must be ${wanted}.`);
}
