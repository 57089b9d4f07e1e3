import { invalidValue, mutabilityError } from '../errors/scim-error.js';
import { findKey, isBlank, isObject, own, sameJson, without } from '../json/json-access.js';
import { checkName, cleanJson } from '../json/json-clean.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { mergeUntyped } from '../resource/untyped-value.js';
import { normalizeValue, singleValue } from '../resource/value-normalizer.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { subAttributesOf } from '../schema/resource-type.js';
import { type PatchBudget } from './patch-budget.js';

/**
 * Changes to one complex value. Sub-attributes that are not mentioned stay (RFC 7644 section
 * 3.5.2.3). Null and the empty text, which Entra ID sends, unassign.
 */

/** How an operation changes a value. */
export interface Edit {
  op: 'add' | 'remove' | 'replace';
  budget: PatchBudget;
}

/** Sets one sub-attribute; a blank value removes it. The input is not changed. */
export function withSub(
  object: JsonObject,
  name: string,
  definition: AttributeDefinition | undefined,
  value: JsonValue | undefined,
  label: string,
  edit: Edit,
): JsonObject {
  const key = findKey(object, name) ?? name;
  const current = own(object, key);
  const next =
    value === undefined || edit.op === 'remove'
      ? undefined
      : definition === undefined
        ? changeUntyped(current, value, label, edit)
        : isBlank(value)
          ? undefined
          : normalizeValue(definition, value, label);
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
  edit: Edit,
): JsonObject {
  const source = asObject(value, definition, label);
  const index = definition && subAttributesOf(definition);
  let result = current;
  for (const [name, item] of Object.entries(source)) {
    checkName(name, label);
    const sub = index?.get(name.toLowerCase());
    if (item !== undefined && sub?.mutability !== 'readOnly') {
      const subName = sub?.name ?? name;
      result = withSub(result, subName, sub, item, `${label}.${subName}`, edit);
    }
  }
  return result;
}

/** The value of what no schema describes after an add or a replace. */
export function changeUntyped(
  current: JsonValue | undefined,
  value: JsonValue,
  label: string,
  { op, budget }: Edit,
): JsonValue | undefined {
  const clean = cleanJson(value, label);
  return mergeUntyped(op === 'add' ? op : 'replace', current, clean, (work) => {
    budget.spend(work);
  });
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
  const single = definition === undefined ? value : singleValue(definition, value, label);
  if (isObject(single)) {
    return single;
  }
  const hasValue = definition !== undefined && subAttributesOf(definition).has('value');
  if (typeof single === 'string' && hasValue) {
    return { value: single };
  }
  throw invalidValue(`${label} must be an object.`);
}
