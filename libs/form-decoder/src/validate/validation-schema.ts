import { FORMATS } from './formats.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { type SchemaGraph } from '../schema/schema-graph.js';
import { ASSERTION_KEYWORDS } from '../schema/schema-keywords.js';
import { membersOf, type SchemaNode } from '../schema/schema-node.js';

/**
 * The schema that the validator compiles: the same rules, made from the graph. Every sub-schema that
 * is used more than once is a definition, so that the code that comes out is linear in the schema.
 * Unions, comparisons of objects and some others become keywords of our own (see validator.ts).
 */
export function validationSchema(graph: SchemaGraph): JsonObject {
  const uses = countUses(graph);
  const shared = (node: SchemaNode): boolean => (uses[node.id] as number) > 1;

  const child = (node: SchemaNode): JsonValue =>
    shared(node) ? { $ref: `#/definitions/${definitionName(node)}` } : body(node);

  const body = (node: SchemaNode): JsonObject => {
    const { source } = node;
    const schema: JsonObject = {};
    for (const keyword of ASSERTION_KEYWORDS) {
      if (source[keyword] !== undefined) schema[keyword] = source[keyword];
    }
    if (typeof source['format'] === 'string' && Object.hasOwn(FORMATS, source['format'])) {
      schema['format'] = source['format'];
    }
    if (source['uniqueItems'] === true) schema['distinct'] = true;
    if (source['multipleOf'] !== undefined) schema['stepped'] = source['multipleOf'];
    addMembers(schema, node);
    if (node.properties !== null) schema['properties'] = mapped(node.properties, child);
    if (node.patternProperties.length > 0) {
      schema['patternProperties'] = Object.fromEntries(
        node.patternProperties.map((each) => [each.source, child(each.node)]),
      );
    }
    if (source['additionalProperties'] === false) {
      schema['additionalProperties'] = false;
    } else if (node.additionalProperties !== null) {
      schema['additionalProperties'] = child(node.additionalProperties);
    }
    addList(schema, node, child);
    if (node.allOf.length > 0) schema['allOf'] = node.allOf.map(child);
    if (node.unions.length > 0) schema['alternatives'] = node.unions.map((union) => union.id);
    addCondition(schema, node, child);
    for (const { keyword, node: inner } of node.checks) {
      // `contains` and `propertyNames` report only whether they match: see validator.ts.
      if (keyword === 'not') schema['not'] = child(inner);
      else schema[keyword === 'contains' ? 'holds' : 'named'] = inner.id;
    }
    return schema;
  };

  const definitions: JsonObject = {};
  for (const node of graph.nodes) {
    if (shared(node)) definitions[definitionName(node)] = body(node);
  }
  return { ...body(graph.root), definitions };
}

export function definitionName(node: SchemaNode): string {
  return `n${node.id}`;
}

/** A schema whose only rules are a type and allowed values needs no compiled code. */
export function isSimple(node: SchemaNode): boolean {
  return Object.keys(node.source).every(
    (keyword) =>
      keyword === 'const' ||
      keyword === 'enum' ||
      keyword === 'type' ||
      keyword === 'title' ||
      keyword === 'description' ||
      keyword.startsWith('x-'),
  );
}

function addMembers(schema: JsonObject, node: SchemaNode): void {
  const members = membersOf(node);
  if (members === null) return;
  const keyword = 'const' in node.source ? 'const' : 'enum';
  if (members.some((member) => typeof member === 'object' && member !== null)) {
    schema['sameAs'] = { keyword, members };
  } else if (keyword === 'const') {
    schema['const'] = members[0] as JsonValue;
  } else if (members.length > 0) {
    schema['enum'] = [...new Set(members)];
  } else {
    schema['not'] = {};
  }
  // Both keywords in one schema: the second one is checked as well.
  if (keyword === 'const' && Array.isArray(node.source['enum'])) {
    schema['allOf'] = [{ sameAs: { keyword: 'enum', members: node.source['enum'] } }];
  }
}

function addList(
  schema: JsonObject,
  node: SchemaNode,
  child: (node: SchemaNode) => JsonValue,
): void {
  if (node.items !== null) schema['items'] = child(node.items);
  if (node.tuple === null) return;
  schema['items'] = node.tuple.map(child);
  if (node.source['additionalItems'] === false) schema['additionalItems'] = false;
  else if (node.additionalItems !== null) schema['additionalItems'] = child(node.additionalItems);
}

function addCondition(
  schema: JsonObject,
  node: SchemaNode,
  child: (node: SchemaNode) => JsonValue,
): void {
  const { condition, source } = node;
  if (condition !== null && (condition.then !== null || condition.else !== null)) {
    schema['if'] = child(condition.if);
    if (condition.then !== null) schema['then'] = child(condition.then);
    if (condition.else !== null) schema['else'] = child(condition.else);
  }
  const names = Object.entries(source['dependencies'] ?? {}).filter(([, each]) =>
    Array.isArray(each),
  );
  const dependencies: JsonObject = Object.fromEntries(names);
  for (const each of node.dependencies) dependencies[each.property] = child(each.node);
  if (Object.keys(dependencies).length > 0) schema['dependencies'] = dependencies;
}

function mapped(
  nodes: ReadonlyMap<string, SchemaNode>,
  child: (node: SchemaNode) => JsonValue,
): JsonObject {
  return Object.fromEntries([...nodes].map(([name, node]) => [name, child(node)]));
}

/** How often a node is used; what is compiled on its own (branches, `if`) counts twice. */
function countUses(graph: SchemaGraph): number[] {
  const uses = new Array<number>(graph.nodes.length).fill(0);
  const count = (node: SchemaNode | null, times = 1): void => {
    if (node !== null) uses[node.id] = (uses[node.id] as number) + times;
  };
  count(graph.root, 1);
  for (const node of graph.nodes) {
    node.properties?.forEach((each) => count(each));
    node.patternProperties.forEach((each) => count(each.node));
    count(node.additionalProperties);
    count(node.items);
    node.tuple?.forEach((each) => count(each));
    count(node.additionalItems);
    node.allOf.forEach((each) => count(each));
    for (const union of node.unions) {
      for (const branch of union.branches) count(branch, isSimple(branch) ? 0 : 2);
    }
    count(node.condition?.if ?? null, 2);
    count(node.condition?.then ?? null);
    count(node.condition?.else ?? null);
    node.dependencies.forEach((each) => count(each.node));
    for (const check of node.checks) count(check.node, check.keyword === 'not' ? 1 : 2);
  }
  return uses;
}
