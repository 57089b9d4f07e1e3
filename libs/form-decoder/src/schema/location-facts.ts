import { type JsonValue } from '../model/form-decoder.types.js';
import { ANY_TYPE, membersOf, SCALARS, TYPE, type SchemaNode } from './schema-node.js';

/** Combines the schemas of one place. */

/** Formats of one word, which are typed and pasted with white space around. */
export const TRIMMED_FORMATS: ReadonlySet<string> = new Set([
  'email',
  'idn-email',
  'uri',
  'url',
  'iri',
  'uri-reference',
  'uriref',
  'hostname',
  'date',
  'time',
  'iso-time',
  'date-time',
  'iso-date-time',
]);

/** Schemas with those of their allOf, each once, in order. */
export function flatten(nodes: readonly SchemaNode[]): SchemaNode[] {
  const flat = new Set<SchemaNode>();
  const add = (node: SchemaNode): void => {
    if (flat.has(node)) return;
    flat.add(node);
    node.allOf.forEach(add);
  };
  nodes.forEach(add);
  return [...flat];
}

/** The schemas of which some apply, depending on the value. */
function branchesIn({ unions, condition, dependencies }: SchemaNode): SchemaNode[] {
  const conditional = [condition?.then, condition?.else].filter((each) => each != null);
  const dependent = dependencies.map(({ node }) => node);
  return [...unions.flatMap(({ branches }) => branches), ...dependent, ...conditional];
}

/** Every schema of every branch below a place, and of branches within those. */
export function branchesOf(main: readonly SchemaNode[], alt: readonly SchemaNode[]): SchemaNode[] {
  const found = new Set<SchemaNode>(alt);
  const open = [...main, ...alt];
  for (let node = open.shift(); node !== undefined; node = open.shift()) {
    for (const each of flatten(branchesIn(node))) {
      if (found.has(each)) continue;
      found.add(each);
      open.push(each);
    }
  }
  return [...found];
}

export function matching(nodes: readonly SchemaNode[], name: string): SchemaNode[] {
  return nodes.flatMap((node) =>
    node.patternProperties.filter(({ pattern }) => pattern.test(name)).map((match) => match.node),
  );
}

/** Whether a form may not write a place with this schema: its own keyword, or that of an entry. */
export function isReadOnly(node: SchemaNode): boolean {
  const entries = [node.items, node.additionalItems, ...(node.tuple ?? [])];
  return [node, ...flatten(entries.filter((each) => each !== null))].some(
    ({ source }) => source['readOnly'] === true || source['x-immutable'] === true,
  );
}

/** The types that all schemas allow, or, for branches, that any of them allows. */
export function typesOf(nodes: readonly SchemaNode[], together: boolean): number {
  const typed = nodes.filter((node) => node.types !== null).map(maskOf);
  if (typed.length === 0) return ANY_TYPE;
  if (together) return typed.reduce((left, right) => left & right);
  return nodes.map(maskOf).reduce((left, right) => left | right);
}

/** The types of a schema; without `type`, those that its rules are about. */
function maskOf({ types, properties, items, tuple }: SchemaNode): number {
  if (types !== null) return types.reduce((mask, type) => mask | TYPE[type], 0);
  return (properties === null ? 0 : TYPE.object) | ((items ?? tuple) ? TYPE.array : 0);
}

/** The values that a place is limited to; null if one of its alternatives allows others. */
export function allowedMembers(
  main: readonly SchemaNode[],
  alt: readonly SchemaNode[],
): readonly JsonValue[] | null {
  for (const node of main) {
    const members = membersOf(node);
    if (members !== null) return members;
  }
  const members = alt.map(membersOf);
  if (members.every((each) => each === null)) return null;
  const inner = new Set([...main, ...alt].flatMap((node) => [...node.allOf, ...branchesIn(node)]));
  const outer = alt.filter((node) => !inner.has(node));
  const isLimited = main.some(limits) || (outer.length > 0 && outer.every(limits));
  return isLimited ? members.flatMap((each) => each ?? []) : null;
}

/** Whether a schema allows only certain texts, numbers and booleans. */
function limits(node: SchemaNode): boolean {
  const { types, allOf, unions, condition } = node;
  if (membersOf(node) !== null || (types !== null && (maskOf(node) & SCALARS) === 0)) return true;
  if (allOf.some(limits) || unions.some(({ branches }) => branches.every(limits))) return true;
  return [condition?.then, condition?.else].every((each) => each != null && limits(each));
}

export function firstText(nodes: readonly SchemaNode[], keyword: string): string | undefined {
  for (const { source } of nodes) {
    if (typeof source[keyword] === 'string') return source[keyword];
  }
  return undefined;
}
