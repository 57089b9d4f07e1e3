import { invalidValue } from '../errors/scim-error.js';
import { isObject } from '../json/json-access.js';
import { checkText } from '../json/json-clean.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { extensionOf, isCoreUrn } from '../path/attribute-ref.js';
import { type ResourceType } from '../schema/resource-type.js';

/** The `schemas` attribute: RFC 7643 section 3. URNs compare without case. */

const URNS_MAX = 100;

/** The URNs that a client sent in canonical spelling; those of SCIM 1.1 are translated. */
export function schemaUrns(value: JsonValue, type: ResourceType): string[] {
  const urns = value === null ? [] : Array.isArray(value) ? value : [value];
  if (urns.length > URNS_MAX) {
    throw invalidValue(`schemas has more than ${URNS_MAX} values.`);
  }
  return urns.map((urn) => {
    if (typeof urn !== 'string') {
      throw invalidValue('schemas must be a list of URNs.');
    }
    return canonicalUrn(checkText(urn, 'schemas'), type);
  });
}

/** Adds the base schema and every extension in use, without duplicates. */
export function mergeSchemas(urns: string[], resource: JsonObject, type: ResourceType): string[] {
  const inUse = Object.keys(resource).filter((key) => key.includes(':') && isObject(resource[key]));
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
