/** Builds the schemas of OpenAPI documents. */

/** A schema of OpenAPI (JSON Schema), as far as the services use it. */
export interface Schema {
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly (string | null)[];
  example?: unknown;
  default?: unknown;
  pattern?: string;
  /** OpenAPI 3.0 only; `type` may be a list in 3.1. */
  nullable?: boolean;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  $ref?: string;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** A reference to one of `components.schemas`. */
export function schemaRef(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

export function text(description?: string, more: Schema = {}): Schema {
  return { type: 'string', ...(description && { description }), ...more };
}

export function integer(description?: string, more: Schema = {}): Schema {
  return { ...text(description, more), type: 'integer' };
}

export function flag(description?: string, more: Schema = {}): Schema {
  return { ...text(description, more), type: 'boolean' };
}

export function time(description?: string): Schema {
  return text(description, { format: 'date-time' });
}

/** A time that may be unset. */
export function timeOrNull(description?: string): Schema {
  return { ...time(description), type: ['string', 'null'] };
}

/** A reference to one of the named schemas, or null. */
export function refOrNull(name: string): Schema {
  return { anyOf: [schemaRef(name), { type: 'null' }] };
}

export function arrayOf(items: Schema, more: Schema = {}): Schema {
  return { type: 'array', items, ...more };
}

export function enumOf(names: readonly string[], more: Schema = {}): Schema {
  return { type: 'string', enum: names, ...more };
}

/** An object with members of any name. */
export function mapOf(values: boolean | Schema, more: Schema = {}): Schema {
  return { type: 'object', additionalProperties: values, ...more };
}

export function object(properties: Schemas, required?: readonly string[]): Schema {
  return { type: 'object', properties, ...(required && { required }) };
}

/** An object whose members are all required, except those whose name ends in `?`. */
export function record(members: Schemas): Schema {
  const entries = Object.entries(members);
  const required = entries.map(([name]) => name).filter((name) => !name.endsWith('?'));
  return object(
    Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
    required.length > 0 ? required : undefined,
  );
}
