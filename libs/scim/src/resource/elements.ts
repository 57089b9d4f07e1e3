import {
  canonicalText,
  foldCase,
  isBlank,
  isObject,
  keyFinder,
  own,
  sameJson,
  without,
} from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { subAttributesOf } from '../schema/resource-type.js';

/**
 * Elements of multi-valued attributes. A (type, value) pair occurs once and at most one element is
 * primary (RFC 7643 section 2.4). All operations are linear in the number of elements.
 */

/** The identity of an element, with and without its type. */
interface ElementKeys {
  value: string;
  pair: string;
}

/** Finds the position of an equal element in constant time. */
export class ElementIndex {
  private readonly byPair = new Map<string, number>();
  private readonly byValue = new Map<string, number>();

  constructor(
    private readonly definition: AttributeDefinition | undefined,
    elements: readonly JsonValue[] = [],
  ) {
    elements.forEach((element, position) => this.add(element, position));
  }

  add(element: JsonValue, position: number): void {
    const { value, pair } = keysOf(this.definition, element);
    if (!this.byPair.has(pair)) {
      this.byPair.set(pair, position);
    }
    if (!this.byValue.has(value)) {
      this.byValue.set(value, position);
    }
  }

  /** Position of the element with the same value and type. */
  find(element: JsonValue): number | undefined {
    return this.byPair.get(keysOf(this.definition, element).pair);
  }

  /** Like `find`, but an element without a type matches by value alone. */
  findByValue(element: JsonValue): number | undefined {
    const { value, pair } = keysOf(this.definition, element);
    return this.byPair.get(pair) ?? (pair === value ? this.byValue.get(value) : undefined);
  }
}

/** Removes duplicates: equal elements are merged, and the first primary element stays primary. */
export function uniqueElements(
  definition: AttributeDefinition | undefined,
  elements: JsonValue[],
): JsonValue[] {
  if (elements.length < 2) {
    return elements;
  }
  const index = new ElementIndex(definition);
  const unique: JsonValue[] = [];
  for (const element of elements) {
    const position = index.find(element);
    if (position === undefined) {
      index.add(element, unique.length);
      unique.push(element);
    } else {
      unique[position] = mergeEqual(unique[position]!, element);
    }
  }
  return settlePrimary(unique, unique.keys());
}

/** Adds elements that are not there yet. An added primary element takes the place of the present one. */
export function addElements(
  definition: AttributeDefinition | undefined,
  elements: readonly JsonValue[],
  added: readonly JsonValue[],
): JsonValue[] {
  const index = new ElementIndex(definition, elements);
  const result = [...elements];
  const touched: number[] = [];
  for (const element of added) {
    const position = index.findByValue(element) ?? result.length;
    if (position === result.length) {
      index.add(element, position);
    }
    const current = result[position];
    const next = current === undefined ? element : mergeEqual(current, element);
    if (!sameJson(current, next)) {
      touched.push(position);
      result[position] = next;
    }
  }
  return settlePrimary(result, touched);
}

/** When a changed element is primary, the others stop being primary. */
export function settlePrimary(elements: JsonValue[], touched: Iterable<number>): JsonValue[] {
  for (const keep of touched) {
    if (isPrimary(elements[keep])) {
      return elements.map((element, position) =>
        position !== keep && isPrimary(element) ? { ...element, primary: false } : element,
      );
    }
  }
  return elements;
}

export function isPrimary(element: JsonValue | undefined): element is JsonObject {
  return isObject(element) && element.primary === true;
}

/** The identity stays that of the present element; either makes the result primary. */
function mergeEqual(current: JsonValue, added: JsonValue): JsonValue {
  if (!isObject(current) || !isObject(added)) {
    return current;
  }
  const keyOf = keyFinder(current);
  const merged = { ...current };
  for (const [name, item] of Object.entries(without(added, 'value', 'type', '$ref'))) {
    if (!isBlank(item)) {
      merged[keyOf(name) ?? name] = item;
    }
  }
  return isPrimary(current) ? { ...merged, primary: true } : merged;
}

function keysOf(definition: AttributeDefinition | undefined, element: JsonValue): ElementKeys {
  const value = isObject(element) ? own(element, 'value') : undefined;
  if (!isObject(element) || value === undefined || value === null) {
    const text = canonicalText(isObject(element) ? withoutPrimary(element) : element);
    return { value: text, pair: text };
  }
  const key = subKey(definition, 'value', value);
  const type = definition?.name === 'members' ? undefined : own(element, 'type');
  return {
    value: key,
    pair:
      type === undefined || type === null ? key : `${key}\u0000${subKey(definition, 'type', type)}`,
  };
}

/** `primary` is not part of the identity: it changes with the other elements. */
function withoutPrimary({ primary: _, ...element }: JsonObject): JsonObject {
  return element;
}

function subKey(definition: AttributeDefinition | undefined, name: string, value: JsonValue) {
  const sub = definition && subAttributesOf(definition).get(name);
  const text = typeof value === 'string' ? value : canonicalText(value);
  return sub?.caseExact === true ? text : foldCase(text);
}
