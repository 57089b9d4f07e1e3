/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export const TEXT: JsonSchema = { type: 'string' };
export const TEXTS: JsonSchema = { type: 'array', items: TEXT };
export const UUID: JsonSchema = { type: 'string', format: 'uuid' };
export const TIME: JsonSchema = { type: 'string', format: 'date-time' };
export const ANY_OBJECT: JsonSchema = { type: 'object' };
export const FLAG: JsonSchema = { type: 'boolean' };

/** The same schema with a description, which the documentation shows. */
export function described(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, description };
}

export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

/** An array of such values. */
export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** An object that has the required members, may have the optional ones, and has no others. */
export function exactObject(
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}
