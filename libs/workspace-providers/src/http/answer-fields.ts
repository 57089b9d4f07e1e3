/** Reads members of what a provider answered. What must be there and is not, is a broken answer. */
import { isObject, type JsonObject } from '@gatehouse/scim';
import { WorkspaceError } from '../workspace.errors.js';

/** An absent or empty text is undefined. */
export function textAt(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The objects of a list; an absent list is empty. */
export function objectsAt(object: JsonObject, name: string): JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

/** @throws WorkspaceError */
export function requiredText(object: JsonObject, name: string): string {
  const value = textAt(object, name);
  if (value !== undefined) return value;
  throw new WorkspaceError('invalid_response', `The provider sent an entry without "${name}".`);
}

/**
 * The entries of a page. Providers leave the list of an empty page away, but anything else in its
 * place, or an entry that is no object, means that part of the page is missing.
 *
 * @throws WorkspaceError
 */
export function entriesOf(body: JsonObject, name: string): JsonObject[] {
  const value = body[name] ?? [];
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new WorkspaceError('invalid_response', `The provider sent a page without "${name}".`);
}

/** The object without the members that are undefined. */
export function defined<T extends object>(object: T): Partial<T> {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}
