/** A schema of OpenAPI 3.0, as far as it is used here. */
export interface Schema {
  type?: string;
  format?: string;
  description?: string;
  nullable?: boolean;
  enum?: readonly string[];
  items?: Schema;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  $ref?: string;
}

export function text(description?: string, limits: Schema = {}): Schema {
  return { type: 'string', ...(description && { description }), ...limits };
}

export function time(more: Schema = {}): Schema {
  return { type: 'string', format: 'date-time', ...more };
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

/** A reference to one of the named schemas. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
