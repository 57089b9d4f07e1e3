import { type JsonValue } from '../model/form-decoder.types.js';
import { ANY_TYPE, membersOf, TYPE, type SchemaNode, type TypeName } from './schema-node.js';

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

/** Every schema of every branch below a place, and of branches within those. */
export function branchesOf(main: readonly SchemaNode[], alt: readonly SchemaNode[]): SchemaNode[] {
  const found = new Set<SchemaNode>(alt);
  const open: SchemaNode[] = [...main, ...alt];
  const add = (node: SchemaNode | null): void => {
    if (node === null) return;
    for (const each of flatten([node])) {
      if (found.has(each)) continue;
      found.add(each);
      open.push(each);
    }
  };
  for (let node = open.shift(); node !== undefined; node = open.shift()) {
    for (const union of node.unions) union.branches.forEach(add);
    for (const dependency of node.dependencies) add(dependency.node);
    if (node.condition === null) continue;
    add(node.condition.then);
    add(node.condition.else);
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
  const masks = nodes
    .filter((node) => node.types !== null)
    .map((node) => (node.types as TypeName[]).reduce((mask, type) => mask | TYPE[type], 0));
  if (masks.length === 0) return ANY_TYPE;
  return together
    ? masks.reduce((left, right) => left & right)
    : masks.reduce((left, right) => left | right);
}

export function allowedMembers(
  main: readonly SchemaNode[],
  alt: readonly SchemaNode[],
): readonly JsonValue[] | null {
  for (const node of main) {
    const members = membersOf(node);
    if (members !== null) return members;
  }
  const members = alt.map(membersOf);
  return members.some((each) => each !== null) ? members.flatMap((each) => each ?? []) : null;
}

export function firstText(nodes: readonly SchemaNode[], keyword: string): string | undefined {
  for (const { source } of nodes) {
    if (typeof source[keyword] === 'string') return source[keyword];
  }
  return undefined;
}
