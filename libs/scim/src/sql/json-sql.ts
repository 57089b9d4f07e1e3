import { invalidFilter } from '../errors/scim-error.js';
import { type ValueTest } from '../filter/bound-filter.js';
import { type AttributeRef, refName } from '../path/attribute-ref.js';
import { foldedSql, type SqlParameters, sqlName } from './sql-parameters.js';
import { presentJson, testOnScalar, textOnExpression } from './test-sql.js';

/**
 * Conditions on the canonical resource in jsonb. Names of the schema are literals, because the
 * resource has them in canonical case. Other names are parameters and are matched without case.
 */

interface Walk {
  from: string[];
  where: string[];
  json: string;
}

/** The jsonb of an attribute, or undefined when the schema lacks its path. */
export function jsonOf(base: string, ref: AttributeRef): string | undefined {
  const names = knownNames(ref);
  return names && `(${chain(base, names)})`;
}

/** The same as text. */
export function textOf(base: string, ref: AttributeRef): string | undefined {
  const names = knownNames(ref);
  const last = names?.pop();
  if (names === undefined) {
    return undefined;
  }
  return last === undefined ? `(${base} #>> '{}')` : `(${chain(base, names)} ->> ${sqlName(last)})`;
}

/** The SELECT of an attribute's elements under the alias, to be narrowed with AND. */
export function elementsOf(
  base: string,
  ref: AttributeRef,
  alias: string,
  parameters: SqlParameters,
): string {
  const walk = start(base, ref, parameters);
  if (ref.definition === undefined && ref.name !== undefined) {
    step(walk, ref.name, 'scim_attribute', parameters);
  }
  walk.from.push(rowsOf(walk.json, alias));
  return select(walk);
}

/** The condition of a test on an attribute of the jsonb object `base`. */
export function testOnJson(
  base: string,
  ref: AttributeRef,
  test: ValueTest,
  parameters: SqlParameters,
): string {
  const json = jsonOf(base, ref);
  if (json === undefined) {
    return testOnUnknown(base, ref, test, parameters);
  }
  switch (test.type) {
    case 'present':
      return presentJson(json);
    case 'text':
      return textOnExpression(textOf(base, ref) ?? base, test, parameters);
    case 'boolean':
      return `${json} = '${test.value}'::jsonb`;
    case 'number':
      return testOnScalar(json, { ...test, type: 'untyped' }, parameters);
    case 'instant':
      throw invalidFilter(`The filter compares ${refName(ref)}, which cannot be searched by time.`);
    case 'untyped':
      return testOnUnknown(base, ref, test, parameters);
  }
}

/** The condition of a test on an element; `ref` is relative to the element. */
export function testOnElement(
  element: string,
  ref: AttributeRef,
  test: ValueTest,
  parameters: SqlParameters,
): string {
  const condition = testOnJson(element, ref, test, parameters);
  if (ref.definition !== undefined || ref.name?.toLowerCase() !== 'value') {
    return condition;
  }
  const itself =
    test.type === 'present' ? presentJson(element) : testOnScalar(element, test, parameters);
  return `(${condition} OR jsonb_typeof(${element}) <> 'object' AND ${itself})`;
}

/** The names of the path to an attribute, when the schema has all of them. */
function knownNames({ extension, name, definition, sub, subDefinition }: AttributeRef) {
  const names: string[] = [];
  if (extension !== undefined) {
    if (extension.index === undefined) {
      return undefined;
    }
    names.push(extension.urn);
  }
  if (name !== undefined) {
    if (definition === undefined) {
      return undefined;
    }
    names.push(definition.name);
  }
  if (sub !== undefined) {
    if (subDefinition === undefined) {
      return undefined;
    }
    names.push(subDefinition.name);
  }
  return names;
}

function chain(base: string, names: readonly string[]): string {
  return names.reduce((json, name) => `${json} -> ${sqlName(name)}`, base);
}

/** Starts at the deepest object that the schema has. */
function start(base: string, ref: AttributeRef, parameters: SqlParameters): Walk {
  const { extension, name, definition } = ref;
  const known = definition === undefined ? { extension } : { extension, name, definition };
  const json = jsonOf(base, known);
  if (json !== undefined) {
    return { from: [], where: [], json };
  }
  const walk: Walk = { from: [], where: [], json: base };
  step(walk, extension?.urn ?? '', 'scim_extension', parameters);
  return walk;
}

/** Steps from an object to a member whose name the schema lacks. */
function step(walk: Walk, name: string, alias: string, parameters: SqlParameters): void {
  walk.from.push(membersOf(walk.json, alias));
  walk.where.push(`${foldedSql(`${alias}.key`)} = ${foldedSql(`${parameters.add(name)}::text`)}`);
  walk.json = `${alias}.value`;
}

/** The elements as rows. A value that is no array is one element; null is no element. */
function rowsOf(json: string, alias: string): string {
  const array =
    `CASE WHEN jsonb_typeof(${json}) = 'array' THEN ${json}` +
    ` WHEN jsonb_typeof(${json}) <> 'null' THEN jsonb_build_array(${json}) END`;
  return `jsonb_array_elements(${array}) AS ${alias}(v)`;
}

function select({ from, where }: Walk): string {
  const conditions = where.length === 0 ? 'TRUE' : where.join(' AND ');
  return `SELECT 1 FROM ${from.join(', LATERAL ')} WHERE ${conditions}`;
}

function testOnUnknown(
  base: string,
  ref: AttributeRef,
  test: ValueTest,
  parameters: SqlParameters,
): string {
  const walk = start(base, ref, parameters);
  const names = [ref.definition === undefined ? ref.name : undefined, ref.sub];
  names.forEach((name, index) => {
    if (name !== undefined) {
      step(walk, name, `scim_member${index}`, parameters);
      walk.from.push(rowsOf(walk.json, `scim_item${index}`));
      walk.json = `scim_item${index}.v`;
    }
  });
  if (test.type === 'present') {
    walk.where.push(presentJson(walk.json));
    return walk.from.length === 0 ? presentJson(walk.json) : `EXISTS (${select(walk)})`;
  }
  const scalar = `CASE jsonb_typeof(${walk.json}) WHEN 'object' THEN ${walk.json} -> 'value' ELSE ${walk.json} END`;
  walk.from.push(`(SELECT ${scalar}) AS scim_scalar(v)`);
  walk.where.push(testOnScalar('scim_scalar.v', test, parameters));
  return `EXISTS (${select(walk)})`;
}

function membersOf(json: string, alias: string): string {
  const object = `CASE jsonb_typeof(${json}) WHEN 'object' THEN ${json} END`;
  return `jsonb_each(${object}) AS ${alias}(key, value)`;
}
