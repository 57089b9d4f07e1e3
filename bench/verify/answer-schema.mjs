// @ts-check

/**
 * The JSON Schema that describes exactly this value, so that the serialiser is compiled for it.
 *
 * @param {unknown} value
 * @returns {object}
 */
export function schemaOf(value) {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0] ?? '') };
  if (typeof value !== 'object') return { type: typeof value };
  const properties = Object.entries(value).map(([name, member]) => [name, schemaOf(member)]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
