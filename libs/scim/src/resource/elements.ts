import { canonicalText, foldCase, isObject, own } from '../json/json-access.js';
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

export function isPrimary(element: JsonValue | undefined): element is JsonObject {
  return isObject(element) && element.primary === true;
}

/** Sets `primary` to false on all elements but one. */
export function onePrimary(elements: readonly JsonValue[], keep: number): JsonValue[] {
  return elements.map((element, position) =>
    position !== keep && isPrimary(element) ? { ...element, primary: false } : element,
  );
}

/** Removes duplicates; the first of equal elements and the first primary element are kept. */
export function uniqueElements(
  definition: AttributeDefinition,
  elements: JsonValue[],
): JsonValue[] {
  if (elements.length < 2) {
    return elements;
  }
  const index = new ElementIndex(definition);
  const unique: JsonValue[] = [];
  for (const element of elements) {
    if (index.find(element) === undefined) {
      index.add(element, unique.length);
      unique.push(element);
    }
  }
  const primary = unique.findIndex(isPrimary);
  return primary < 0 ? unique : onePrimary(unique, primary);
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
