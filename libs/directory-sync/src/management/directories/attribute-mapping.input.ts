/** Reads which attributes of SCIM users become custom attributes of users and events. */
import { readAttribute, ScimError, userResourceType } from '@gatehouse/scim';
import { type InputReader } from '@gatehouse/kit/input';

export const MAPPED_ATTRIBUTES_MAX = 64;
const TEXT = { max: 512 };

/** Custom attribute names and the SCIM paths to read them from; null if unset. */
export function attributeMapping(input: InputReader): Record<string, string> | null {
  const field = 'attribute_mapping';
  const value = input.raw(field);
  if (value === undefined) return null;
  if (typeof value !== 'object' || Array.isArray(value)) {
    const description = 'must be an object of attribute names and SCIM paths';
    return input.addViolation(field, description, null);
  }
  const names = Object.keys(value as object);
  if (names.length > MAPPED_ATTRIBUTES_MAX) {
    const description = `must not exceed ${MAPPED_ATTRIBUTES_MAX} attributes`;
    return input.addViolation(field, description, null);
  }
  const mapping = input.child(field) as InputReader;
  mapping.allow(names);
  const paths = names.map((name) => [name, attributePath(input, mapping, name)] as const);
  return Object.fromEntries(paths);
}

export function isAttributeName(name: string): boolean {
  return /^[A-Za-z][\w.-]{0,63}$/.test(name) && name !== 'constructor' && name !== 'prototype';
}

function attributePath(input: InputReader, mapping: InputReader, name: string): string {
  if (!isAttributeName(name)) {
    const description = `"${name.slice(0, 64)}" is no attribute name`;
    return input.addViolation('attribute_mapping', description, '');
  }
  const path = mapping.requiredText(name, TEXT);
  const fault = path === '' ? undefined : pathFault(path);
  return fault === undefined ? path : mapping.addViolation(name, fault, '');
}

/**
 * Why a text cannot be mapped; undefined if it can. Every mapped path is read for each user and event later,
 * and must not fail then.
 */
export function pathFault(path: string): string | undefined {
  if (path.length > TEXT.max) return `must not exceed ${TEXT.max} characters`;
  try {
    readAttribute({}, path, userResourceType);
    return undefined;
  } catch (error) {
    if (error instanceof ScimError) return error.detail;
    throw error;
  }
}
