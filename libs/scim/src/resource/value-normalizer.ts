import { invalidValue } from '../errors/scim-error.js';
import { parseDateTime } from '../filter/date-time.js';
import { isObject, own, ownAnyCase } from '../json/json-access.js';
import { checkNames, checkText, NameGuard } from '../json/json-clean.js';
import { isExactNumber } from '../json/json-text.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { subAttributesOf } from '../schema/resource-type.js';
import { uniqueElements } from './elements.js';
import { untypedValue } from './untyped-value.js';

/**
 * Converts the value of one attribute to the type in the schema. It tolerates what identity
 * providers send: booleans and numbers as text and numbers for text, one object for a list, a text for
 * an element, a list of one for a single value. Other mismatches are 400 invalidValue that names the
 * attribute.
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
    } else if (item !== null && definition.name === 'members') {
      throw invalidValue('members.value must be the id of a member.');
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
  return normalizeElement(definition, singleValue(definition, value, path), path);
}

/**
 * One value stands for a list of one; a text of roles may list several. Some clients repeat the name:
 * `{"members": […]}` for the members.
 */
function itemsOf({ name }: AttributeDefinition, value: JsonValue): JsonValue[] {
  if (isObject(value) && Object.keys(value).length === 1) {
    const inner = ownAnyCase(value, name);
    return inner === undefined ? [value] : [inner].flat();
  }
  if (name !== 'roles' || typeof value !== 'string') return [value];
  return value
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
}

/**
 * Takes a list of one for its only element, and there an object with a `value` for that value where the
 * attribute is simple. Clients of Entra ID send both.
 */
export function singleValue(
  { type }: AttributeDefinition,
  value: JsonValue,
  path: string,
): JsonValue {
  if (!Array.isArray(value)) return value;
  const [only = null, ...rest] = value.filter((each) => each !== null);
  if (rest.length > 0) throw wrongType(path, 'a single value');
  const inner = isObject(only) && type !== 'complex' ? own(only, 'value') : undefined;
  return inner ?? only;
}

/** An object, or the only object of a list. */
export function singleObject(value: JsonValue | undefined, path: string): JsonObject {
  const [only, ...rest] = [value].flat();
  if (!isObject(only) || rest.length > 0) throw wrongType(path, 'an object');
  return only;
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
      sub === undefined ? untypedValue(item, subPath) : normalizeValue(sub, item, subPath);
    if (clean !== undefined) {
      result[sub?.name ?? name] = clean;
      isEmpty = false;
    }
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
  if (typeof number !== 'number' || !isExactNumber(number) || !isWhole) {
    throw wrongType(path, definition.type === 'integer' ? 'a whole number' : 'a number');
  }
  return number;
}

function normalizeText(definition: AttributeDefinition, value: JsonValue, path: string): string {
  // The id of a member, which is immutable, is never a number, nor is a name that is required.
  const mayBeNumber = !definition.required && definition.mutability !== 'immutable';
  if (typeof value === 'number' && mayBeNumber && Math.abs(value) < 2 ** 53) {
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
