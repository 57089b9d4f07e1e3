import { invalidValue } from '../errors/scim-error.js';
import { isObject, isStorableText, isUnsafeName } from './json-access.js';
import { isExactNumber } from './json-text.js';
import { type JsonObject, type JsonValue } from './json.js';

/** Checks for JSON that no schema describes, so that it can be stored unchanged. */

const DEPTH_MAX = 32;

/** Maximum number of attributes of a resource and of members of any object in it. */
const NAMES_MAX = 1000;

/** Refuses text that the database cannot hold. */
export function checkText(text: string, path: string): string {
  if (!isStorableText(text)) {
    throw invalidValue(`${path} has a character that cannot be stored.`);
  }
  return text;
}

/** Refuses a name that could reach the prototype of an object or cannot be stored. */
export function checkName(name: string, path: string): void {
  if (isUnsafeName(name)) {
    throw invalidValue(`${path} has the name "${name}", which no attribute may have.`);
  }
  checkText(name, path);
}

/** Refuses a name that differs from an earlier one in case only. */
export class NameGuard {
  private readonly seen = new Set<string>();

  constructor(private readonly path: string) {}

  check(name: string): void {
    checkName(name, this.path);
    this.checkOnce(name);
  }

  checkOnce(name: string): void {
    const key = name.toLowerCase();
    if (this.seen.has(key)) {
      throw invalidValue(`${this.path} has "${name}" more than once.`);
    }
    this.seen.add(key);
  }
}

/** Refuses an object with too many names. */
export function checkNames(object: JsonObject, path: string): void {
  if (Object.keys(object).length > NAMES_MAX) {
    throw invalidValue(`${path} has more than ${NAMES_MAX} names.`);
  }
}

/**
 * A copy of JSON that can be stored and looked up.
 *
 * @throws ScimError 400 invalidValue naming the path: more than 32 levels, unsafe or doubled
 *   names, U+0000 or half a surrogate pair in a text, a number that lost digits.
 */
export function cleanJson(value: JsonValue, path: string, depth = 0): JsonValue {
  if (depth > DEPTH_MAX) {
    throw invalidValue(`${path.slice(0, 128)} is nested more than ${DEPTH_MAX} levels deep.`);
  }
  if (typeof value === 'string') {
    return checkText(value, path);
  }
  if (Array.isArray(value)) {
    return value.map((item) => cleanJson(item, path, depth + 1));
  }
  if (typeof value === 'number' && !isExactNumber(value)) {
    throw invalidValue(`${path} has a number with too many digits. Send it as a text.`);
  }
  return isObject(value) ? cleanObject(value, path, depth) : value;
}

function cleanObject(object: JsonObject, path: string, depth: number): JsonObject {
  checkNames(object, path);
  const guard = new NameGuard(path);
  const clean: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    guard.check(name);
    clean[name] = cleanJson(value as JsonValue, `${path}.${name}`, depth + 1);
  }
  return clean;
}
