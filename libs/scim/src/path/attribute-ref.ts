import { ownAnyCase } from '../json/json-access.js';
import { isObject } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { ENTERPRISE_USER_SCHEMA_URN } from '../schema/enterprise-user.schema.js';
import { type ResourceType, type SchemaIndex, subAttributesOf } from '../schema/resource-type.js';
import { type AttributePath } from './attribute-path.js';

/**
 * Resolves attribute paths for filter, PATCH, sorting and attribute selection, so that a name means
 * the same everywhere (RFC 7643 section 2.1, RFC 7644 section 3.10).
 */

export interface ExtensionRef {
  /** The URN as it is written in the resource: canonical when the extension is known. */
  urn: string;
  index?: SchemaIndex;
}

/** The attribute that a path addresses. */
export interface AttributeRef {
  extension?: ExtensionRef;
  /** The name in the schema, or as written when the schema lacks it; absent for an extension. */
  name?: string;
  definition?: AttributeDefinition;
  sub?: string;
  subDefinition?: AttributeDefinition;
  /** True when the path is the URN of the base schema: it addresses the resource itself. */
  wholeResource?: boolean;
}

const LEGACY_URNS = new Map<string, string>([
  ['urn:scim:schemas:extension:enterprise:1.0', ENTERPRISE_USER_SCHEMA_URN],
  ['urn:scim:schemas:extension:enterprise:1.0:user', ENTERPRISE_USER_SCHEMA_URN],
]);

const LEGACY_CORE_URNS = new Set(['urn:scim:schemas:core:1.0', 'urn:scim:schemas:core:1.1']);
const VERSION_THEN_NAME = /:\d+(\.\d+)*:[^:]+$/;

/** The known extension of a URN, or a ref with the URN alone. */
export function extensionOf(urn: string, type: ResourceType): ExtensionRef {
  const modern = modernUrn(urn, type);
  const index = type.extensionIndex.get(modern.toLowerCase());
  return index === undefined ? { urn: modern } : { urn: index.schema.id, index };
}

export function isCoreUrn(urn: string, type: ResourceType): boolean {
  return modernUrn(urn, type).toLowerCase() === type.core.key;
}

/**
 * Resolves a path. A bare name that only an extension has addresses that extension; Entra ID sends
 * `manager`. Unknown names resolve to a ref without a definition.
 */
export function resolveAttribute(type: ResourceType, path: AttributePath): AttributeRef {
  const { urn, name, sub } = path;
  if (urn === undefined) {
    return name === undefined ? { wholeResource: true } : withSub(resolveBareName(type, name), sub);
  }
  if (sub === undefined) {
    const whole = name === undefined ? urn : `${urn}:${name}`;
    if (isCoreUrn(whole, type)) {
      return { wholeResource: true };
    }
    const extension = extensionOf(whole, type);
    if (extension.index !== undefined || name === undefined) {
      return { extension };
    }
    if (!isKnownUrn(urn, type) && VERSION_THEN_NAME.test(whole)) {
      return { extension };
    }
  }
  if (name === undefined) {
    return { extension: extensionOf(urn, type) };
  }
  if (isCoreUrn(urn, type)) {
    return withSub(inIndex(type.core, name) ?? { name }, sub);
  }
  const extension = extensionOf(urn, type);
  const found = extension.index && inIndex(extension.index, name);
  return withSub({ ...(found ?? { name }), extension }, sub);
}

/** The value of the attribute itself; a sub-attribute in the ref is not followed. */
export function attributeValue(resource: JsonObject, ref: AttributeRef): JsonValue | undefined {
  const container = containerOf(resource, ref);
  if (container === undefined) {
    return undefined;
  }
  return ref.name === undefined ? container : ownAnyCase(container, ref.name);
}

/** The canonical name of a ref, without the base URN, for messages and column tables. */
export function refName({ extension, name, sub }: AttributeRef): string {
  const attribute = name === undefined ? undefined : sub === undefined ? name : `${name}.${sub}`;
  if (extension === undefined) {
    return attribute ?? '';
  }
  return attribute === undefined ? extension.urn : `${extension.urn}:${attribute}`;
}

/** Translates a URN of SCIM 1.1 to SCIM 2.0; others are returned unchanged. */
function modernUrn(urn: string, type: ResourceType): string {
  const key = urn.toLowerCase();
  if (LEGACY_CORE_URNS.has(key)) {
    return type.schema.id;
  }
  return LEGACY_URNS.get(key) ?? urn;
}

function withSub(ref: AttributeRef, sub: string | undefined): AttributeRef {
  if (sub === undefined) {
    return ref;
  }
  const definition = ref.definition && subAttributesOf(ref.definition).get(sub.toLowerCase());
  return definition === undefined
    ? { ...ref, sub }
    : { ...ref, sub: definition.name, subDefinition: definition };
}

function resolveBareName(type: ResourceType, name: string): AttributeRef {
  const core = inIndex(type.core, name);
  if (core !== undefined) {
    return core;
  }
  for (const index of type.extensionIndex.values()) {
    const found = inIndex(index, name);
    if (found !== undefined) {
      return { ...found, extension: { urn: index.schema.id, index } };
    }
  }
  return { name };
}

function isKnownUrn(urn: string, type: ResourceType): boolean {
  return isCoreUrn(urn, type) || extensionOf(urn, type).index !== undefined;
}

function inIndex(index: SchemaIndex, name: string): AttributeRef | undefined {
  const definition = index.attributes.get(name.toLowerCase());
  return definition && { name: definition.name, definition };
}

/** The object that holds the attribute: the resource itself or one of its extensions. */
function containerOf(resource: JsonObject, ref: AttributeRef): JsonObject | undefined {
  if (ref.extension === undefined) {
    return resource;
  }
  const container = ownAnyCase(resource, ref.extension.urn);
  return isObject(container) ? container : undefined;
}
