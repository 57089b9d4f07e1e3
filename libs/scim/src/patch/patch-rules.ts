import { invalidPath, mutabilityError } from '../errors/scim-error.js';
import { isObject, own, sameJson, without } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { type ScimResource } from '../resource/resource.js';
import { type PatchOperation } from './patch-request.js';
import { type PatchTarget } from './patch-target.js';

/** Rules of RFC 7644 section 3.5.2 for a single operation. */

/**
 * True when the operation addresses something that a client may change.
 *
 * @param lenient pass over read-only attributes, as in an object without a path
 * @throws ScimError 400 mutability, or 400 invalidPath for the removal of what is no attribute
 */
export function isWritable(
  { op, value }: PatchOperation,
  { definition, sub, subDefinition, label, ref }: PatchTarget,
  current: JsonValue | undefined,
  lenient: boolean,
): boolean {
  if (definition?.returned === 'never') {
    return false;
  }
  if (definition?.mutability === 'readOnly' || subDefinition?.mutability === 'readOnly') {
    const target = sub === undefined ? current : isObject(current) ? own(current, sub) : undefined;
    if (!lenient && (op === 'remove' || !sameJson(target, value))) {
      throw mutabilityError(`${label} is read-only.`);
    }
    return false;
  }
  if (op === 'remove') {
    if (definition?.required === true && sub === undefined) {
      throw mutabilityError(`${label} is required and cannot be removed.`);
    }
    const isForeign = ref.extension !== undefined && ref.extension.index === undefined;
    if (definition === undefined && current === undefined && !isForeign) {
      throw invalidPath(`${label} is no attribute.`);
    }
  }
  return true;
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function emptyAsUndefined(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length === 0 ? undefined : object;
}

export function withMember(
  object: JsonObject,
  key: string,
  value: JsonValue | undefined,
): JsonObject {
  if (value !== undefined) {
    return { ...object, [key]: value };
  }
  return without(object, key);
}

/** Sets an extension and updates `schemas`. */
export function withExtension(
  resource: ScimResource,
  urn: string,
  value: JsonObject,
): ScimResource {
  const key = urn.toLowerCase();
  if (Object.keys(value).length > 0) {
    const isNamed =
      Object.hasOwn(resource, urn) || resource.schemas.some((each) => each.toLowerCase() === key);
    const schemas = isNamed ? resource.schemas : [...resource.schemas, urn];
    return { ...resource, schemas, [urn]: value };
  }
  if (!Object.hasOwn(resource, urn)) {
    return resource;
  }
  const rest = withMember(resource, urn, undefined) as ScimResource;
  return { ...rest, schemas: rest.schemas.filter((each) => each.toLowerCase() !== key) };
}
