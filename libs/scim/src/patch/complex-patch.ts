import { invalidValue, mutabilityError } from '../errors/scim-error.js';
import { findKey, isObject, sameJson, without } from '../json/json-access.js';
import { checkName, cleanJson } from '../json/json-clean.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { normalizeElement } from '../resource/value-normalizer.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { subAttributesOf } from '../schema/resource-type.js';

/**
 * Changes to one complex value. Sub-attributes that are not mentioned stay (RFC 7644 section
 * 3.5.2.3). Null and the empty text, which Entra ID sends, unassign.
 */

export function isBlank(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** Sets one sub-attribute; a blank value removes it. The input is not changed. */
export function withSub(
  object: JsonObject,
  name: string,
  definition: AttributeDefinition | undefined,
  value: JsonValue | undefined,
  label: string,
): JsonObject {
  const key = findKey(object, name) ?? name;
  const current = object[key];
  const next =
    isBlank(value) || value === undefined
      ? undefined
      : definition === undefined
        ? cleanJson(value, label)
        : normalizeElement(definition, value, label);
  checkImmutable(definition, current, next, label);
  if (sameJson(current, next)) {
    return object;
  }
  if (next === undefined) {
    return without(object, key);
  }
  return { ...object, [key]: next };
}

/** Merges sub-attributes into an object; read-only ones are ignored. */
export function mergeObject(
  current: JsonObject,
  value: JsonValue,
  definition: AttributeDefinition | undefined,
  label: string,
): JsonObject {
  const source = asObject(value, definition, label);
  const index = definition && subAttributesOf(definition);
  let result = current;
  for (const [name, item] of Object.entries(source)) {
    checkName(name, label);
    const sub = index?.get(name.toLowerCase());
    if (item !== undefined && sub?.mutability !== 'readOnly') {
      const subName = sub?.name ?? name;
      result = withSub(result, subName, sub, item, `${label}.${subName}`);
    }
  }
  return result;
}

function checkImmutable(
  definition: AttributeDefinition | undefined,
  current: JsonValue | undefined,
  next: JsonValue | undefined,
  label: string,
): void {
  const isSet = current !== undefined && current !== null;
  if (definition?.mutability === 'immutable' && isSet && !sameJson(current, next)) {
    throw mutabilityError(`${label} cannot be changed once it is set.`);
  }
}

function asObject(
  value: JsonValue,
  definition: AttributeDefinition | undefined,
  label: string,
): JsonObject {
  const single = Array.isArray(value) && value.length > 0 ? value[0] : value;
  if (isObject(single)) {
    return single;
  }
  const hasValue = definition !== undefined && subAttributesOf(definition).has('value');
  if (typeof single === 'string' && hasValue) {
    return { value: single };
  }
  throw invalidValue(`${label} must be an object.`);
}
