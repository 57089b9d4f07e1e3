import { invalidFilter } from '../errors/scim-error.js';
import { printAttributePath } from '../path/attribute-path.js';
import { type AttributePath } from '../path/attribute-path.js';
import { type AttributeRef, refName, resolveAttribute } from '../path/attribute-ref.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { type ResourceType, subAttributesOf } from '../schema/resource-type.js';
import {
  type BoundFilter,
  type OrderOperator,
  type TextOperator,
  type ValueTest,
} from './bound-filter.js';
import { parseDateTime } from './date-time.js';
import { type CompareFilter, type CompareOperator, type Filter } from './filter-ast.js';

/** Applies a schema to a parsed filter: RFC 7644 section 3.4.2.2, "attribute operators". */

const ORDER_OPERATORS = new Set<string>(['eq', 'gt', 'ge', 'lt', 'le']);
const PRESENT: ValueTest = { type: 'present' };

/** Binds the filter inside the brackets of a value path to the attribute before them. */
export function bindElementFilter(
  filter: Filter,
  definition: AttributeDefinition | undefined,
): BoundFilter {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const operands = filter.operands.map((each) => bindElementFilter(each, definition));
      return { kind: filter.kind, operands };
    }
    case 'not':
      return { kind: 'not', operand: bindElementFilter(filter.operand, definition) };
    case 'present':
      return { kind: 'test', ref: innerRef(filter.path, definition), test: PRESENT };
    case 'compare': {
      const ref = innerRef(filter.path, definition);
      const bound = bindElementTest(filter, ref, refName(ref));
      return isNegative(filter) ? { kind: 'not', operand: bound } : bound;
    }
    case 'valuePath':
      throw invalidFilter('The filter nests value paths.');
  }
}

/**
 * Applies a resource type to a filter.
 *
 * @throws ScimError 400 invalidFilter where attribute, operator and value do not fit together.
 * @example
 * const bound = bindFilter(parseFilter('userName sw "m"'), userResourceType);
 */
export function bindFilter(filter: Filter, type: ResourceType): BoundFilter {
  return new Binder(type).bind(filter);
}

function innerRef(path: AttributePath, definition: AttributeDefinition | undefined): AttributeRef {
  if (path.name === undefined || path.urn !== undefined || path.sub !== undefined) {
    throw invalidFilter('The filter has more than a sub-attribute inside brackets.');
  }
  return elementRef(definition, path.name);
}

/** Rewrites `ne` and `null` to negation and presence, then creates the test. */
function bindTest(filter: CompareFilter, ref: AttributeRef, label: string): BoundFilter {
  const definition = ref.sub === undefined ? ref.definition : ref.subDefinition;
  const { operator } = filter;
  if (filter.value === null) {
    checkNull(operator, label);
    return { kind: 'test', ref, test: PRESENT };
  }
  const positive: TextOperator = operator === 'ne' ? 'eq' : operator;
  const test =
    definition === undefined
      ? untypedTest(filter, positive, label)
      : typedTest(filter, positive, definition, label);
  return { kind: 'test', ref, test };
}

/** As `bindTest`; an element without `primary` is not primary (RFC 7643 section 2.4). */
function bindElementTest(filter: CompareFilter, ref: AttributeRef, label: string): BoundFilter {
  const isFalse =
    ref.name?.toLowerCase() === 'primary' &&
    ['eq', 'ne'].includes(filter.operator) &&
    booleanOf(filter) === false;
  if (!isFalse) return bindTest(filter, ref, label);
  return { kind: 'not', operand: bindTest({ ...filter, value: true }, ref, label) };
}

function isNegative({ operator, value }: CompareFilter): boolean {
  return (operator === 'ne') !== (value === null);
}

class Binder {
  constructor(private readonly type: ResourceType) {}

  bind(filter: Filter): BoundFilter {
    switch (filter.kind) {
      case 'and':
      case 'or':
        return { kind: filter.kind, operands: filter.operands.map((each) => this.bind(each)) };
      case 'not':
        return { kind: 'not', operand: this.bind(filter.operand) };
      case 'present':
        return this.presence(filter.path);
      case 'compare':
        return this.comparison(filter);
      case 'valuePath':
        return this.valuePath(filter.path, filter.filter);
    }
  }

  private presence(path: AttributePath): BoundFilter {
    const ref = this.resolve(path);
    const { definition } = ref;
    if (ref.sub !== undefined && definition?.multiValued === true) {
      const inner: BoundFilter = {
        kind: 'test',
        ref: elementRef(definition, ref.sub),
        test: PRESENT,
      };
      return { kind: 'element', ref: withoutSub(ref), filter: inner };
    }
    return { kind: 'test', ref, test: PRESENT };
  }

  private comparison(filter: CompareFilter): BoundFilter {
    const label = printAttributePath(filter.path);
    const ref = this.resolve(filter.path);
    if (ref.name === undefined) {
      throw invalidFilter(`The filter compares ${label}, which is a schema and no attribute.`);
    }
    const bound = this.positiveComparison(filter, ref, label);
    return isNegative(filter) ? { kind: 'not', operand: bound } : bound;
  }

  private positiveComparison(filter: CompareFilter, ref: AttributeRef, label: string): BoundFilter {
    if (filter.value === null) {
      checkNull(filter.operator, label);
      return this.presence(filter.path);
    }
    const { definition } = ref;
    if (definition?.multiValued !== true) {
      return bindTest(filter, withImpliedValue(ref, label), label);
    }
    const leaf = withImpliedValue(ref, label);
    const inner = elementRef(definition, leaf.sub ?? 'value');
    return { kind: 'element', ref: withoutSub(ref), filter: bindElementTest(filter, inner, label) };
  }

  private valuePath(path: AttributePath, filter: Filter): BoundFilter {
    const ref = this.resolve(path);
    if (ref.name === undefined || ref.sub !== undefined) {
      throw invalidFilter(`The filter has brackets after ${printAttributePath(path)}.`);
    }
    if (ref.definition?.type === 'complex' && !ref.definition.multiValued) {
      return this.bind(prefixed(filter, path));
    }
    return { kind: 'element', ref, filter: bindElementFilter(filter, ref.definition) };
  }

  private resolve(path: AttributePath): AttributeRef {
    const ref = resolveAttribute(this.type, path);
    if (ref.wholeResource === true) {
      throw invalidFilter(`The filter names ${printAttributePath(path)}, which is no attribute.`);
    }
    return ref;
  }
}

/**
 * The ref of a sub-attribute, relative to an element. Without a name it is the element itself, as
 * in `schemas[value eq "…"]`.
 */
function elementRef(definition: AttributeDefinition | undefined, name: string): AttributeRef {
  const found = definition && subAttributesOf(definition).get(name.toLowerCase());
  if (found !== undefined) {
    return { name: found.name, definition: found };
  }
  const isElement = definition !== undefined && isScalar(definition);
  return isElement && name.toLowerCase() === 'value' ? { definition } : { name };
}

/** Null has no order and no substrings. */
function checkNull(operator: CompareOperator, label: string): void {
  if (operator !== 'eq' && operator !== 'ne') {
    throw unsupported(label, operator, 'compared with null');
  }
}

function untypedTest(filter: CompareFilter, operator: TextOperator, name: string): ValueTest {
  const { value } = filter;
  if (operator === 'co' || operator === 'sw' || operator === 'ew') {
    return { type: 'untyped', operator, value: textOf(filter) };
  }
  if (operator !== 'eq' && typeof value === 'boolean') {
    throw unsupported(name, operator, 'compared with a boolean');
  }
  return { type: 'untyped', operator, value: value as string | number | boolean };
}

function typedTest(
  filter: CompareFilter,
  operator: TextOperator,
  definition: AttributeDefinition,
  name: string,
): ValueTest {
  const isOrder = ORDER_OPERATORS.has(operator);
  switch (definition.type) {
    case 'boolean': {
      const value = booleanOf(filter);
      if (operator !== 'eq') {
        throw unsupported(name, operator, 'a boolean');
      }
      if (value === undefined) {
        throw invalidFilter(`The filter compares ${name} with what is neither true nor false.`);
      }
      return { type: 'boolean', value };
    }
    case 'integer':
    case 'decimal': {
      const value = typeof filter.value === 'number' ? filter.value : Number(textOf(filter));
      if (!isOrder || !Number.isFinite(value)) {
        throw unsupported(name, operator, 'a number');
      }
      return { type: 'number', operator: operator as OrderOperator, value };
    }
    case 'dateTime': {
      if (!isOrder) {
        return { type: 'text', operator, caseExact: false, value: textOf(filter) };
      }
      const value = parseDateTime(textOf(filter));
      if (value === undefined) {
        throw invalidFilter(`The filter compares ${name} with what is no date and time.`);
      }
      return { type: 'instant', operator: operator as OrderOperator, value };
    }
    default:
      if (definition.type === 'binary' && isOrder && operator !== 'eq') {
        throw unsupported(name, operator, 'binary');
      }
      return { type: 'text', operator, caseExact: definition.caseExact, value: textOf(filter) };
  }
}

function withoutSub({ sub: _sub, subDefinition: _definition, ...ref }: AttributeRef): AttributeRef {
  return ref;
}

/** A path without a sub-attribute means `value` (RFC 7643 section 2.4). */
function withImpliedValue(ref: AttributeRef, label: string): AttributeRef {
  const { definition } = ref;
  if (definition === undefined || ref.sub !== undefined || isScalar(definition)) {
    return ref;
  }
  const value = subAttributesOf(definition).get('value');
  if (value === undefined) {
    throw invalidFilter(`The filter compares ${label}, which has sub-attributes and no value.`);
  }
  return { ...ref, sub: value.name, subDefinition: value };
}

/** On a singular attribute, `name[givenName pr]` equals `name.givenName pr`. */
function prefixed(filter: Filter, { urn, name }: AttributePath): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const operands = filter.operands.map((each) => prefixed(each, { urn, name }));
      return { kind: filter.kind, operands };
    }
    case 'not':
      return { kind: 'not', operand: prefixed(filter.operand, { urn, name }) };
    case 'valuePath':
      throw invalidFilter('The filter nests value paths.');
    default:
      return { ...filter, path: { urn, name, sub: filter.path.name } };
  }
}

function isScalar(definition: AttributeDefinition): boolean {
  return definition.type !== 'complex';
}

function unsupported(name: string, operator: string, type: string): Error {
  return invalidFilter(`The filter uses "${operator}" on ${name}, which is ${type}.`);
}

function textOf({ value, literal }: CompareFilter): string {
  return literal ?? String(value);
}

/** Entra ID sends booleans as text: `roles[primary eq "True"]`. */
function booleanOf({ value }: CompareFilter): boolean | undefined {
  if (typeof value === 'boolean') {
    return value;
  }
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : undefined;
}
