import { foldCase, isObject, own, ownAnyCase } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { type AttributeRef, attributeValue } from '../path/attribute-ref.js';
import {
  type BoundFilter,
  type OrderOperator,
  type TextOperator,
  type UntypedTest,
  type ValueTest,
} from './bound-filter.js';
import { compareText } from './compare-text.js';
import { parseDateTime } from './date-time.js';

/** Evaluates a bound filter in memory. The SQL translation must select the same resources. */

/** True when the value contains something that is not empty (RFC 7644 table 3, "pr"). */
export function isPresent(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') {
    return false;
  }
  if (Array.isArray(value)) {
    return value.some(isPresent);
  }
  return isObject(value) ? Object.values(value).some(isPresent) : true;
}

/** True when an element of a multi-valued attribute matches the filter in brackets. */
export function matchesElement(filter: BoundFilter, element: JsonValue): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.operands.every((operand) => matchesElement(operand, element));
    case 'or':
      return filter.operands.some((operand) => matchesElement(operand, element));
    case 'not':
      return !matchesElement(filter.operand, element);
    case 'test':
      return testValue(filter.test, elementValue(element, filter.ref));
    case 'element':
      return false;
  }
}

/** Whether a canonical resource passes the filter. */
export function matchesFilter(filter: BoundFilter, resource: JsonObject): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.operands.every((operand) => matchesFilter(operand, resource));
    case 'or':
      return filter.operands.some((operand) => matchesFilter(operand, resource));
    case 'not':
      return !matchesFilter(filter.operand, resource);
    case 'test':
      return testValue(filter.test, attributeValue(resource, filter.ref), filter.ref.sub);
    case 'element':
      return elementsOf(attributeValue(resource, filter.ref)).some((element) =>
        matchesElement(filter.filter, element),
      );
  }
}

function testValue(test: ValueTest, value: JsonValue | undefined, sub?: string): boolean {
  if (test.type !== 'untyped') {
    return holds(test, sub === undefined ? value : subValue(value, sub));
  }
  if (sub === undefined) {
    return scalarsOf(value).some((scalar) => untypedHolds(test, scalar));
  }
  return elementsOf(value).some(
    (item) =>
      isObject(item) &&
      scalarsOf(ownAnyCase(item, sub)).some((scalar) => untypedHolds(test, scalar)),
  );
}

function elementValue(element: JsonValue, { name }: AttributeRef): JsonValue | undefined {
  if (isObject(element)) {
    return name === undefined ? undefined : ownAnyCase(element, name);
  }
  return name === undefined || name.toLowerCase() === 'value' ? element : undefined;
}

function elementsOf(value: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(value)) {
    return value;
  }
  return value === undefined || value === null ? [] : [value];
}

function holds(test: ValueTest, stored: JsonValue | undefined): boolean {
  switch (test.type) {
    case 'present':
      return isPresent(stored);
    case 'text':
      return (
        typeof stored === 'string' && textHolds(test.operator, test.caseExact, stored, test.value)
      );
    case 'number':
      return (
        typeof stored === 'number' && orderHolds(test.operator, Math.sign(stored - test.value))
      );
    case 'boolean':
      return stored === test.value;
    case 'instant': {
      const instant = typeof stored === 'string' ? parseDateTime(stored) : undefined;
      return instant !== undefined && orderHolds(test.operator, Math.sign(instant - test.value));
    }
    case 'untyped':
      return untypedHolds(test, stored);
  }
}

function subValue(value: JsonValue | undefined, sub: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value.map((item) => (isObject(item) ? (ownAnyCase(item, sub) ?? null) : null));
  }
  return isObject(value) ? ownAnyCase(value, sub) : undefined;
}

/** The scalars of an attribute without a definition. */
function scalarsOf(value: JsonValue | undefined): (JsonValue | undefined)[] {
  return elementsOf(value).map((item) => (isObject(item) ? own(item, 'value') : item));
}

function untypedHolds({ operator, value }: UntypedTest, stored: JsonValue | undefined): boolean {
  if (typeof stored === 'string') {
    return typeof value === 'string' && textHolds(operator, false, stored, value);
  }
  if (typeof stored === 'number') {
    return (
      typeof value === 'number' && orderHolds(operator as OrderOperator, Math.sign(stored - value))
    );
  }
  return (
    typeof stored === 'boolean' && operator === 'eq' && foldCase(String(value)) === String(stored)
  );
}

function textHolds(
  operator: TextOperator,
  caseExact: boolean,
  stored: string,
  wanted: string,
): boolean {
  const left = caseExact ? stored : foldCase(stored);
  const right = caseExact ? wanted : foldCase(wanted);
  switch (operator) {
    case 'eq':
      return left === right;
    case 'co':
      return left.includes(right);
    case 'sw':
      return left.startsWith(right);
    case 'ew':
      return left.endsWith(right);
    default:
      return orderHolds(operator, compareText(left, right));
  }
}

function orderHolds(operator: OrderOperator, comparison: number): boolean {
  switch (operator) {
    case 'eq':
      return comparison === 0;
    case 'gt':
      return comparison > 0;
    case 'ge':
      return comparison >= 0;
    case 'lt':
      return comparison < 0;
    case 'le':
      return comparison <= 0;
  }
}
