import { type JsonObject, type JsonValue, readAttribute, userResourceType } from '@gatehouse/scim';

/**
 * The attributes that a directory's mapping names, read from a user's resource; those that the
 * resource lacks are left out. Undefined without a mapping.
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
