import { schemaRef } from '@gatehouse/service-kit';

/** A schema of OpenAPI 3.1 (JSON Schema 2020-12), as far as it is used here. */
export interface Schema {
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  $ref?: string;
}

export function text(description?: string, limits: Schema = {}): Schema {
  return { type: 'string', ...(description && { description }), ...limits };
}

export function time(description?: string): Schema {
  return { type: 'string', format: 'date-time', ...(description && { description }) };
}

/** A time that may be unset. */
export function timeOrNull(description?: string): Schema {
  return { ...time(description), type: ['string', 'null'] };
}

/** A reference to one of the named schemas, or null. */
export function refOrNull(name: string): Schema {
  return { anyOf: [schemaRef(name), { type: 'null' }] };
}

export function arrayOf(items: Schema, limits: Schema = {}): Schema {
  return { type: 'array', items, ...limits };
}

export function enumOf(names: readonly string[]): Schema {
  return { type: 'string', enum: names };
}

export function object(properties: Record<string, Schema>, required?: readonly string[]): Schema {
  return { type: 'object', properties, ...(required && { required }) };
}

/** An object in an answer: every member is present, except for the optional ones. */
export function record(
  properties: Record<string, Schema>,
  optional: readonly string[] = [],
): Schema {
  return object(
    properties,
    Object.keys(properties).filter((name) => !optional.includes(name)),
  );
}
