import {
  invalidFilter,
  invalidSyntax,
  invalidValue,
  type ScimError,
} from '../errors/scim-error.js';
import { type BoundFilter } from '../filter/bound-filter.js';
import { isObject } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { type PatchOperation } from '../patch/patch-request.js';
import { parseAttributePath } from '../path/attribute-path.js';
import {
  type AttributeRef,
  extensionOf,
  isCoreUrn,
  refName,
  resolveAttribute,
} from '../path/attribute-ref.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import {
  type AttributeIndex,
  type ResourceType,
  subAttributesOf,
} from '../schema/resource-type.js';

/**
 * Strict mode: refuses what the SCIM 2.0 Interoperability Profile (draft-zollner-scim-interop-profile)
 * forbids and RFC 7644 permits: attributes and schemas that are not defined, operations of a PATCH without a
 * path, and filters on attributes that are not defined. A list for a single value is refused too.
 */

/** @throws ScimError 400 invalidSyntax that names what the resource type does not define */
export function requireDefinedNames(body: unknown, type: ResourceType): void {
  if (isObject(body)) checkResource(body, type);
}

/** @throws ScimError 400 invalidSyntax that names the operation, or what is not defined */
export function requireStrictPatch(
  operations: readonly PatchOperation[],
  type: ResourceType,
): void {
  operations.forEach(({ path, value }, index) => {
    if (path === undefined) throw invalidSyntax(`Operations[${index}] has no path.`);
    const ref = resolveAttribute(type, path.attribute);
    if (ref.wholeResource === true) {
      refuseList(value, path.text);
      if (isObject(value)) checkResource(value, type);
      return;
    }
    // An unknown sub-attribute of a known attribute is an invalid path in every directory.
    if (ref.definition === undefined) requireDefined(ref, path.text);
    if (path.sub !== undefined || ref.sub !== undefined) refuseList(value, path.text);
    else if (value !== undefined) checkOf(ref, value, path.text);
  });
}

/** @throws ScimError 400 invalidFilter that names the attribute which is not defined */
export function requireDefinedTerms(filter: BoundFilter): void {
  switch (filter.kind) {
    case 'and':
    case 'or':
      filter.operands.forEach(requireDefinedTerms);
      return;
    case 'not':
      requireDefinedTerms(filter.operand);
      return;
    default:
      if (!isDefined(filter.ref)) {
        throw invalidFilter(`The filter asks for ${refName(filter.ref)}, which is not defined.`);
      }
      if (filter.kind === 'element') requireDefinedTerms(filter.filter);
  }
}

function checkResource(body: JsonObject, type: ResourceType): void {
  for (const [name, value] of Object.entries(body)) {
    if (name.toLowerCase() === 'schemas') {
      [value].flat().forEach((urn) => checkSchema(urn, type));
    } else if (isCoreUrn(name, type)) {
      refuseList(value, name);
      if (isObject(value)) checkNames(value, type.core.attributes, '');
    } else if (name.includes(':')) {
      const path = parseAttributePath(name);
      if (path === undefined) throw notDefined(name);
      const ref = resolveAttribute(type, path);
      requireDefined(ref, name);
      checkOf(ref, value, name);
    } else {
      checkNames({ [name]: value }, type.core.attributes, '');
    }
  }
}

function checkSchema(urn: unknown, type: ResourceType): void {
  if (typeof urn !== 'string' || isCoreUrn(urn, type)) return;
  if (extensionOf(urn, type).index === undefined) throw notDefined(urn);
}

/** Checks the value of an extension or an attribute that is defined. */
function checkOf(
  { definition, extension }: AttributeRef,
  value: JsonValue | undefined,
  label: string,
): void {
  if (definition !== undefined) {
    checkSubAttributes(definition, value, label);
  } else if (extension?.index !== undefined) {
    refuseList(value, label);
    if (isObject(value)) checkNames(value, extension.index.attributes, `${label}:`);
  }
}

function checkNames(object: JsonObject, known: AttributeIndex, prefix: string): void {
  for (const [name, value] of Object.entries(object)) {
    const definition = known.get(name.toLowerCase());
    if (definition === undefined) throw notDefined(prefix + name);
    checkSubAttributes(definition, value, prefix + name);
  }
}

function checkSubAttributes(
  definition: AttributeDefinition,
  value: JsonValue | undefined,
  label: string,
): void {
  if (!definition.multiValued) refuseList(value, label);
  if (definition.type !== 'complex') return;
  for (const element of [value].flat()) {
    if (isObject(element)) checkNames(element, subAttributesOf(definition), `${label}.`);
  }
}

function refuseList(value: JsonValue | undefined, label: string): void {
  if (Array.isArray(value) && value.length > 0) {
    throw invalidValue(`${label} must be a single value, not a list.`);
  }
}

function requireDefined(ref: AttributeRef, label: string): void {
  if (!isDefined(ref)) throw notDefined(label);
}

function isDefined({ definition, extension, name, sub, subDefinition }: AttributeRef): boolean {
  if (name === undefined) return extension?.index !== undefined;
  return definition !== undefined && (sub === undefined || subDefinition !== undefined);
}

function notDefined(name: string): ScimError {
  return invalidSyntax(`${name.slice(0, 256)} is not defined, see /Schemas.`);
}
