/** Builds the schemas of OpenAPI 3.1 documents. */

/** A schema of OpenAPI (JSON Schema), as far as the services use it. */
export interface Schema {
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly (string | null)[];
  example?: unknown;
  default?: unknown;
  pattern?: string;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  discriminator?: { propertyName: string; mapping: Readonly<Record<string, string>> };
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
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

/** A number with a fraction. */
export function number(description?: string, more: Schema = {}): Schema {
  return { ...text(description, more), type: 'number' };
}

/** A whole number; no API has negative ones without saying so. */
export function integer(description?: string, more: Schema = {}): Schema {
  return { ...text(description, { minimum: 0, ...more }), type: 'integer' };
}

/** The parameter page_size, where 0 or less is the default. */
export function pageSize(max: number): Schema {
  return { type: 'integer', description: `Default 50, at most ${max}.` };
}

export function flag(description?: string, more: Schema = {}): Schema {
  return { ...text(description, more), type: 'boolean' };
}

export function time(description?: string): Schema {
  return text(description, { format: 'date-time' });
}

/** The same schema, which null fits as well. */
export function orNull(schema: Schema): Schema {
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  const { type = 'object', enum: values } = schema;
  return { ...schema, type: [type, 'null'].flat(), ...(values && { enum: [...values, null] }) };
}

/** Always null. The type is not null alone, for which few generators of clients have a type. */
export const NULL: Schema = orNull({ type: 'object', description: 'Null.' });

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
