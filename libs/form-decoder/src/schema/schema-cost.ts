import { type SchemaFault } from '../model/form-decoder.types.js';
import { flatten } from './location-facts.js';
import { LocationTable, type Location } from './location.js';
import { type SchemaGraph } from './schema-graph.js';
import { type SchemaNode } from './schema-node.js';

/**
 * Bounds what a schema can cost before anything is compiled from it. Sub-schemas that apply to the
 * same place (allOf, oneOf, `then`, …) multiply when references repeat them: thirty definitions of
 * two lines can ask for a billion checks of one value. This module therefore computes how often one
 * place of a value can be visited, down to the depth that a form can have. Fields and required
 * objects multiply in the same way, from one level of nesting to the next.
 */

/** Fields of the form of an empty value. */
const FIELDS_MAX = 20_000;
/** Objects created because they are required. */
const OBJECTS_MAX = 5000;
const ROWS_MAX = 1000;
/** Visits of one place of a value. */
const VISITS_MAX = 1000;
const LEVELS = 16;

export function costFaults(graph: SchemaGraph): SchemaFault[] {
  const loop = findLoop(graph);
  if (loop !== null) {
    const message = 'the schema applies itself to the same value without end';
    return [{ pointer: loop.pointer, code: 'schema.cycle', message }];
  }
  let visits = level(graph, () => 1);
  for (let depth = 0; depth <= LEVELS; depth += 1) {
    if ((visits[graph.root.id] as number) > VISITS_MAX) {
      const message = 'the schema combines so many alternatives that checking would take too long';
      return [{ pointer: '', code: 'schema.cost', message }];
    }
    const below = visits;
    visits = level(graph, (node) => mostBelow(node, below));
  }
  if (requiredObjects(graph) > OBJECTS_MAX) {
    const message = `the schema requires more than ${OBJECTS_MAX} objects within objects`;
    return [{ pointer: '', code: 'schema.cost', message }];
  }
  if (shownFields(graph) > FIELDS_MAX) {
    const message = `a form of the schema would have more than ${FIELDS_MAX} fields`;
    return [{ pointer: '', code: 'schema.cost', message }];
  }
  return [];
}

/** The most required objects, nested ones included, that one submitted object can create. */
function requiredObjects(graph: SchemaGraph): number {
  const required = new Set(graph.nodes.flatMap((node) => node.required));
  const children = graph.nodes.map((node) =>
    [...(node.properties ?? [])]
      .filter(([name, child]) => required.has(name) && isObjectType(child))
      .map(([, child]) => child),
  );
  let counts = level(graph, () => 0);
  for (let depth = 0; depth <= LEVELS; depth += 1) {
    const below = counts;
    const own = (node: SchemaNode): number =>
      (children[node.id] as SchemaNode[]).reduce((sum, { id }) => sum + 1 + (below[id] ?? 0), 0);
    counts = level(graph, own);
  }
  return counts.reduce((most, count) => Math.max(most, count), 0);
}

function isObjectType(node: SchemaNode): boolean {
  return flatten([node]).some(({ types }) => types?.includes('object') === true);
}

/** The fields of an empty form with a row in each list; counting stops at the limit. */
function shownFields(graph: SchemaGraph): number {
  let steps = FIELDS_MAX;
  const count = ({ wide }: Location, above: readonly Location[]): number => {
    if (above.length > LEVELS || above.includes(wide)) return 0;
    const within = [...above, wide];
    const below = (child: Location | null): number => {
      steps -= 1;
      return child === null || steps < 0 ? Infinity : 1 + count(child, within);
    };
    let fields = 0;
    for (const name of wide.propertyNames) fields += below(wide.property(name));
    if (!wide.isArray) return fields;
    for (let index = 0; index < wide.tupleLength; index += 1) fields += below(wide.item(index));
    const rows = Math.min(Math.max(Number(wide.keyword('minItems') ?? 1), 1), ROWS_MAX);
    return fields + rows * below(wide.item(wide.tupleLength));
  };
  return count(new LocationTable().of([graph.root], []), []);
}

/** Per node: what it costs itself plus what every schema that applies with it costs. */
function level(graph: SchemaGraph, own: (node: SchemaNode) => number): number[] {
  const sums = new Array<number>(graph.nodes.length).fill(-1);
  const visit = (node: SchemaNode): number => {
    const known = sums[node.id] as number;
    if (known !== -1) return known;
    let sum = own(node);
    for (const child of inPlace(node)) sum += visit(child);
    sums[node.id] = Math.min(sum, Number.MAX_SAFE_INTEGER);
    return sums[node.id] as number;
  };
  for (const node of graph.nodes) visit(node);
  return sums;
}

/** The most visits that one child of a place can get from one schema of the place. */
function mostBelow(node: SchemaNode, below: readonly number[]): number {
  const of = (child: SchemaNode | null): number =>
    child === null ? 0 : (below[child.id] as number);
  let named = 0;
  for (const child of node.properties?.values() ?? []) named = Math.max(named, of(child));
  let matching = 0;
  for (const child of node.patternProperties) matching += of(child.node);
  const rest = of(node.additionalProperties);
  let entry = Math.max(of(node.items), of(node.additionalItems));
  for (const child of node.tuple ?? []) entry = Math.max(entry, of(child));
  let checked = 0;
  for (const check of node.checks) if (check.keyword !== 'not') checked += of(check.node);
  return Math.max(named + matching, rest, entry) + checked;
}

/** The schemas that look at the same value as this one. */
function inPlace(node: SchemaNode): SchemaNode[] {
  const children = [...node.allOf];
  for (const union of node.unions) children.push(...union.branches);
  if (node.condition !== null) {
    for (const child of [node.condition.if, node.condition.then, node.condition.else]) {
      if (child !== null) children.push(child);
    }
  }
  for (const dependency of node.dependencies) children.push(dependency.node);
  for (const check of node.checks) if (check.keyword === 'not') children.push(check.node);
  return children;
}

/** A schema that reaches itself without going into a member or an entry, or null. */
function findLoop(graph: SchemaGraph): SchemaNode | null {
  const state = new Uint8Array(graph.nodes.length);
  for (const start of graph.nodes) {
    if (state[start.id] !== 0) continue;
    const path: { node: SchemaNode; rest: SchemaNode[] }[] = [];
    const enter = (node: SchemaNode): void => {
      state[node.id] = 1;
      path.push({ node, rest: inPlace(node) });
    };
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.pop();
      if (next === undefined) {
        state[top.node.id] = 2;
        path.pop();
      } else if (state[next.id] === 1) {
        return next;
      } else if (state[next.id] === 0) {
        enter(next);
      }
    }
  }
  return null;
}
