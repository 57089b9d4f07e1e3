import { type Pattern } from './pattern.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';

/** Types of JSON Schema as bits; an integer is a number, so NUMBER includes INTEGER. */
export const TYPE = {
  string: 1,
  boolean: 2,
  integer: 4,
  number: 4 | 8,
  null: 16,
  object: 32,
  array: 64,
} as const;
export type TypeName = keyof typeof TYPE;
export const ANY_TYPE = 127;
export const SCALARS = TYPE.string | TYPE.boolean | TYPE.number;

export interface SchemaUnion {
  id: number;
  kind: 'oneOf' | 'anyOf';
  branches: SchemaNode[];
}

export interface SchemaCondition {
  if: SchemaNode;
  then: SchemaNode | null;
  else: SchemaNode | null;
}

export interface SchemaDependency {
  property: string;
  node: SchemaNode;
}

/** A place in a schema where the value decides which schemas apply. */
export type SchemaChoice = SchemaUnion | SchemaCondition | SchemaDependency;

/**
 * One schema of a document with its sub-schemas resolved: a `$ref` is the node that it points to, so
 * the nodes form a graph which may have cycles. `id` is unique in the document.
 */
export interface SchemaNode {
  id: number;
  /** Pointer to the schema within its document. */
  pointer: string;
  /** The schema itself; `true` is `{}`, `false` is `{ not: {} }`. */
  source: JsonObject;
  /** In the order of the schema; null if it has no `type`. */
  types: TypeName[] | null;
  properties: Map<string, SchemaNode> | null;
  patternProperties: { pattern: Pattern; source: string; node: SchemaNode }[];
  /** Null when absent and when `false`. */
  additionalProperties: SchemaNode | null;
  items: SchemaNode | null;
  tuple: SchemaNode[] | null;
  additionalItems: SchemaNode | null;
  required: readonly string[];
  allOf: SchemaNode[];
  unions: SchemaUnion[];
  condition: SchemaCondition | null;
  /** Schema dependencies only. */
  dependencies: SchemaDependency[];
  /** Sub-schemas that validate but give no place to a field: not, contains, propertyNames. */
  checks: { keyword: 'not' | 'contains' | 'propertyNames'; node: SchemaNode }[];
}

/** The values that `const` or `enum` allow; null if the schema has neither. */
export function membersOf(node: SchemaNode): JsonValue[] | null {
  if ('const' in node.source) return [node.source['const'] ?? null];
  return Array.isArray(node.source['enum']) ? node.source['enum'] : null;
}

/** Whether a property has the name of an inherited member. */
export function usesInheritedName(node: SchemaNode): boolean {
  return [...(node.properties?.keys() ?? []), ...node.required].some((name) => name in {});
}
