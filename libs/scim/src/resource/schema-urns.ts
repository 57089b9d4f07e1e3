import { invalidValue } from '../errors/scim-error.js';
import { isObject } from '../json/json-access.js';
import { checkText } from '../json/json-clean.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { extensionOf, isCoreUrn } from '../path/attribute-ref.js';
import { type ResourceType, resourceTypes } from '../schema/resource-type.js';

/** The `schemas` attribute: RFC 7643 section 3. URNs compare without case. */

const URNS_MAX = 100;

const URI_PATTERN = /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i;
const KNOWN_EXTENSIONS = new Set(resourceTypes.flatMap((each) => [...each.extensionIndex.keys()]));
const MESSAGE_URN_PREFIX = 'urn:ietf:params:scim:api:';
const CORE_URN_PATTERN = /^urn:ietf:params:scim:schemas:core:2\.0:[^:]+$/;

/**
 * The URNs that a client sent in canonical spelling; those of SCIM 1.1 are translated. Texts that are
 * no URI, and schemas of other resource types and of messages, are left out.
 */
export function schemaUrns(value: JsonValue, type: ResourceType): string[] {
  const urns = value === null ? [] : Array.isArray(value) ? value : [value];
  if (urns.length > URNS_MAX) {
    throw invalidValue(`schemas has more than ${URNS_MAX} values.`);
  }
  const canonical = urns.map((urn) => {
    if (typeof urn !== 'string') {
      throw invalidValue('schemas must be a list of URNs.');
    }
    return canonicalUrn(checkText(urn, 'schemas'), type);
  });
  return canonical.filter((urn) => URI_PATTERN.test(urn) && !isForeignSchema(urn, type));
}

/** True for schemas of other resource types and of messages. */
export function isForeignSchema(urn: string, type: ResourceType): boolean {
  const key = urn.toLowerCase();
  return (
    key.startsWith(MESSAGE_URN_PREFIX) ||
    (CORE_URN_PATTERN.test(key) && key !== type.core.key) ||
    (KNOWN_EXTENSIONS.has(key) && !type.extensionIndex.has(key))
  );
}

/** Adds the base schema and every extension in use, without duplicates. */
export function mergeSchemas(urns: string[], resource: JsonObject, type: ResourceType): string[] {
  const inUse = Object.keys(resource).filter(
    (key) => key.includes(':') && isObject(resource[key]) && URI_PATTERN.test(key),
  );
  const seen = new Set<string>();
  return [type.schema.id, ...urns, ...inUse].filter((urn) => {
    const key = urn.toLowerCase();
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

function canonicalUrn(urn: string, type: ResourceType): string {
  return isCoreUrn(urn, type) ? type.schema.id : extensionOf(urn, type).urn;
}
