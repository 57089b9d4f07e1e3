import { invalidValue, noTarget } from '../errors/scim-error.js';
import { testsIn } from '../filter/bound-filter.js';
import { type Filter } from '../filter/filter-ast.js';
import { matchesElement } from '../filter/filter-evaluator.js';
import { isBlank, isObject, own, sameJson } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { addElements, ElementIndex, settlePrimary, uniqueElements } from '../resource/elements.js';
import { untypedValue } from '../resource/untyped-value.js';
import { ELEMENTS_MAX, normalizeElements } from '../resource/value-normalizer.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { type Edit, mergeObject, withSub } from './complex-patch.js';
import { type PatchTarget } from './patch-target.js';

/** Changes to the elements of a multi-valued attribute: RFC 7644 sections 3.5.2.1 to 3.5.2.3. */

export interface ElementsChange extends Edit {
  value: JsonValue | undefined;
  target: PatchTarget;
  /** Create the element when a replace with a filter matches none. */
  createOnReplace: boolean;
}

/** The elements after one operation; the input is not changed. */
export function patchElements(elements: JsonValue[], change: ElementsChange): JsonValue[] {
  const { op, target, value } = change;
  if (target.filter !== undefined || target.sub !== undefined) {
    return changeMatching(elements, change);
  }
  switch (op) {
    case 'add':
      return added(elements, change);
    case 'replace': {
      const list = listOf(target.definition, value === '' ? null : (value ?? null), target.label);
      checkCount(list, target);
      return list;
    }
    case 'remove':
      return value === undefined || value === null ? [] : removeListed(elements, change);
  }
}

function changeMatching(elements: JsonValue[], change: ElementsChange): JsonValue[] {
  const { op, target, createOnReplace, budget } = change;
  const { filter, sub, label } = target;
  budget.spend(elements.length * (filter === undefined ? 1 : testsIn(filter.bound)));
  const matches = (element: JsonValue) =>
    filter === undefined || matchesElement(filter.bound, element);
  if (op === 'remove' && sub === undefined) {
    return elements.filter((element) => !matches(element));
  }
  const touched: number[] = [];
  const result = elements.map((element, position) => {
    if (!matches(element)) {
      return element;
    }
    touched.push(position);
    return changeElement(element, change);
  });
  if (touched.length > 0) {
    const kept = settlePrimary(result, touched).filter(
      (element) => !isObject(element) || Object.keys(element).length > 0,
    );
    return uniqueElements(target.definition, kept);
  }
  if (op === 'remove') {
    return elements;
  }
  if (op === 'replace' && filter !== undefined && !createOnReplace) {
    throw noTarget(`No value of ${label} matches the path.`);
  }
  return createElement(elements, change);
}

function added(elements: JsonValue[], { target, value, budget }: ElementsChange): JsonValue[] {
  const list = listOf(target.definition, value ?? null, target.label);
  budget.spend(elements.length + list.length);
  const result = addElements(target.definition, elements, list);
  checkCount(result, target);
  return result;
}

function listOf(definition: AttributeDefinition | undefined, value: JsonValue, label: string) {
  if (value === null) {
    return [];
  }
  if (definition !== undefined) {
    return normalizeElements(definition, value, label);
  }
  const list = untypedValue(value, label) ?? [];
  return Array.isArray(list) ? list : [list];
}

function checkCount(elements: JsonValue[], { definition, label }: PatchTarget): void {
  if (elements.length > ELEMENTS_MAX && definition?.name !== 'members') {
    throw invalidValue(`${label} would have more than ${ELEMENTS_MAX} values.`);
  }
}

/**
 * Removes a list of values, as Entra ID sends it. Elements match by `value`, and by `type` when it
 * is given.
 */
function removeListed(elements: JsonValue[], change: ElementsChange): JsonValue[] {
  const { target, value } = change;
  const { definition, label } = target;
  const listed = listOf(definition, value ?? null, label);
  const isKeyed = (item: JsonValue) => !isObject(item) || !isBlank(own(item, 'value'));
  const keyed = listed.filter(isKeyed);
  const others = listed.filter((item) => !isKeyed(item)).map(matcherOf);
  change.budget.spend(elements.length * (1 + others.length));
  const typed = new ElementIndex(definition, keyed);
  const untyped = new ElementIndex(
    definition,
    keyed.filter((item) => !isObject(item) || isBlank(own(item, 'type'))),
  );
  return elements.filter(
    (element) =>
      typed.find(element) === undefined &&
      (!isObject(element) || untyped.find({ value: own(element, 'value') }) === undefined) &&
      !others.some((matches) => matches(element)),
  );
}

function changeElement(element: JsonValue, change: ElementsChange): JsonValue {
  const { target, value } = change;
  const { sub, subDefinition, definition, label } = target;
  if (!isObject(element)) {
    throw noTarget(`${label} has values without sub-attributes.`);
  }
  if (sub === undefined) {
    return mergeObject(element, value ?? {}, definition, label, change);
  }
  return withSub(element, sub, subDefinition, value, label, change);
}

function createElement(elements: JsonValue[], change: ElementsChange): JsonValue[] {
  const { target, value } = change;
  const { sub, subDefinition, definition, label } = target;
  if (isBlank(value) || value === undefined) {
    return elements;
  }
  const seed = target.filter === undefined ? {} : seedOf(target.filter.source);
  if (seed === undefined) {
    throw noTarget(`No value of ${label} matches the path.`);
  }
  const described = mergeObject({}, seed, definition, label, change);
  const element =
    sub === undefined
      ? mergeObject(described, value, definition, label, change)
      : withSub(described, sub, subDefinition, value, label, change);
  const result = settlePrimary([...elements, element], [elements.length]);
  checkCount(result, target);
  return uniqueElements(definition, result);
}

/** A predicate for elements that have all given sub-attributes. */
function matcherOf(wanted: JsonValue): (element: JsonValue) => boolean {
  if (!isObject(wanted)) {
    return (element) => sameJson(element, wanted);
  }
  const given = Object.entries(wanted).filter(([, item]) => !isBlank(item));
  return (element) =>
    isObject(element) &&
    given.length > 0 &&
    given.every(([name, item]) => sameJson(own(element, name), item));
}

/** The sub-attributes that make a new element match the filter (erratum 8097). */
function seedOf(filter: Filter): JsonObject | undefined {
  if (filter.kind === 'and') {
    const seeds = filter.operands.map(seedOf);
    return seeds.every((seed) => seed !== undefined)
      ? (Object.assign({}, ...seeds) as JsonObject)
      : undefined;
  }
  const isEqual = filter.kind === 'compare' && filter.operator === 'eq';
  return isEqual && filter.path.name !== undefined
    ? { [filter.path.name]: filter.value }
    : undefined;
}
