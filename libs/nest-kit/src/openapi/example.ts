/** Makes the examples of bodies and answers. */
import { type Schema, type Schemas } from './schema.js';

/** Examples by the name of their schema. */
export type Examples = Readonly<Record<string, unknown>>;

/**
 * The example of a schema: the one registered for its name, otherwise one composed of its members'.
 *
 * @returns undefined where neither the schema nor a member has an example
 */
export function exampleOf(schema: Schema, schemas: Schemas, examples: Examples): unknown {
  const { $ref, type, items, properties } = schema;
  if (schema.example !== undefined) return schema.example;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    const named = schemas[name];
    return name in examples ? examples[name] : named && exampleOf(named, schemas, examples);
  }
  if (type === 'array' && items) {
    const item = exampleOf(items, schemas, examples);
    return item === undefined ? undefined : [item];
  }
  if (properties) {
    const members = Object.entries(properties)
      .map(([name, member]) => [name, exampleOf(member, schemas, examples)] as const)
      .filter(([, value]) => value !== undefined);
    return members.length > 0 ? Object.fromEntries(members) : undefined;
  }
  const mayBeNull = [type].flat().includes('null') || schema.anyOf?.at(-1)?.type === 'null';
  return schema.enum?.[0] ?? (mayBeNull ? null : undefined);
}
