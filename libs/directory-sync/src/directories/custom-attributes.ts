import { type JsonObject, type JsonValue, readAttribute, userResourceType } from '@gatehouse/scim';

/**
 * The custom attributes of a user, read from its resource by the mapping of its directory.
 * Attributes that the resource lacks are omitted. Undefined without a mapping.
 */
export function customAttributes(
  raw: JsonValue | undefined,
  mapping: Record<string, string> | null,
): JsonObject | undefined {
  if (mapping === null || typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return undefined;
  }
  const attributes: JsonObject = {};
  for (const [name, path] of Object.entries(mapping)) {
    const value = readAttribute(raw, path, userResourceType);
    if (value !== undefined) attributes[name] = value;
  }
  return attributes;
}
