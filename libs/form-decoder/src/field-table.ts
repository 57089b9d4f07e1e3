import { escapeSegment, pointerSegment } from './field-names.js';
import type { JsonValue } from './form-decoder.types.js';
import type { Location } from './location.js';
import { scalarOf, type Scalar } from './scalar.js';
import { ANY_TYPE, TYPE } from './schema-node.js';

/**
 * The part of a schema that does not depend on what is sent, laid out once: every field has a slot,
 * and a name finds its field in one look-up. What depends on values (unions, conditions), on names
 * that the sender chooses, or on itself (cycles) is a `tree` and is worked out per submission.
 */
export const SHAPE = { scalar: 0, list: 1, object: 2, tree: 3 } as const;
export type Shape = (typeof SHAPE)[keyof typeof SHAPE];

/** Objects whose fields would make more than this altogether are not laid out but trees. */
const FIELDS_MAX = 4000;

export class Field {
  /** How the text converts; of the entries where the shape is a list. */
  readonly scalar: Scalar;
  /** Of an object: its fields in the order of the schema. */
  readonly fields: Field[] = [];
  readonly byProperty = new Map<string, Field>();
  /** Fields that get a value when nothing is sent: required objects, defaults. */
  readonly filled: Field[] = [];
  readonly defaultValue: JsonValue | undefined;
  /** The field that most often comes after this one. */
  next: Field | undefined;

  constructor(
    readonly slot: number,
    readonly shape: Shape,
    readonly property: string,
    readonly name: string,
    readonly pointer: string,
    readonly location: Location,
    readonly depth: number,
    /** The object must exist so that what is missing inside is named. */
    readonly isRequiredObject: boolean,
    /** The object exists even when its JSON text is blank. */
    readonly isAlwaysThere: boolean,
  ) {
    this.scalar = scalarOf(shape === SHAPE.list ? location.item(0) : location);
    this.defaultValue = location.keyword('default');
  }

  add(child: Field): void {
    this.byProperty.set(child.property, child);
    if (child.isRequiredObject || child.defaultValue !== undefined) this.filled.push(child);
    if (!child.location.readOnly) this.fields.push(child);
  }
}

interface Open {
  field: Field;
  /** The places above: a place among them again is a cycle. */
  above: readonly Location[];
}

export class FieldTable {
  readonly root: Field;
  readonly byName = new Map<string, Field>();
  slots = 1;
  private planned = 1;

  /**
   * With `only`, the root is an object in which that one property has a place. The traits of an
   * identity always exist: they are what the answer is about.
   */
  constructor(
    location: Location,
    private readonly depthMax: number,
    only?: string,
  ) {
    const shape = only === undefined ? this.planShape(location, []) : SHAPE.object;
    this.root = new Field(0, shape, '', '', '', location, 0, true, true);
    const open: Open[] = [];
    const top = { field: this.root, above: [] };
    if (only !== undefined) this.extend(top, [only], open);
    else if (shape === SHAPE.object) open.push(top);
    // Level by level, so that what does not fit any more lies deepest.
    for (const next of open) this.extend(next, next.field.location.propertyNames, open);
    this.linkInOrder(this.root, this.root);
  }

  /**
   * The field of a name. Forms send their fields in the order of the page, the same name several
   * times in a row; comparing with the name that is due costs half of a look-up, which has to hash.
   */
  find(name: string, before: Field): Field | undefined {
    const due = before.next;
    if (due?.name === name) return due;
    return before.name === name ? before : this.byName.get(name);
  }

  /** Leads from one field that takes texts to the next. @returns the last */
  private linkInOrder(field: Field, before: Field): Field {
    let last = before;
    for (const child of field.fields) {
      if (child.shape === SHAPE.object) {
        last = this.linkInOrder(child, last);
      } else {
        last.next = child;
        last = child;
      }
    }
    return last;
  }

  private extend({ field, above }: Open, properties: readonly string[], open: Open[]): void {
    const below = [...above, field.location];
    for (const property of properties) {
      const location = field.location.wide.property(property);
      if (location === null) continue;
      const child = this.child(field, property, location, below);
      field.add(child);
      if (location.readOnly) continue;
      this.byName.set(child.name, child);
      // Another property may be called just so, and then the name is its.
      const appended = `${child.name}[]`;
      if (child.shape === SHAPE.list && !this.byName.has(appended)) {
        this.byName.set(appended, child);
      }
      if (child.shape === SHAPE.object) open.push({ field: child, above: below });
    }
  }

  private child(
    parent: Field,
    property: string,
    location: Location,
    below: readonly Location[],
  ): Field {
    const always = parent === this.root && property === 'traits';
    const segment = escapeSegment(property);
    const field = new Field(
      this.slots,
      this.planShape(location, below),
      property,
      parent === this.root ? segment : `${parent.name}.${segment}`,
      `${parent.pointer}/${pointerSegment(property)}`,
      location,
      below.length,
      location.types === TYPE.object && (always || parent.location.required.has(property)),
      always,
    );
    this.slots += 1;
    return field;
  }

  private planShape(location: Location, above: readonly Location[]): Shape {
    const shape = naturalShape(location, above);
    if (shape !== SHAPE.object) return shape;
    const planned = this.planned + location.propertyNames.length;
    if (planned > FIELDS_MAX || above.length >= this.depthMax) return SHAPE.tree;
    this.planned = planned;
    return shape;
  }
}

function naturalShape(location: Location, above: readonly Location[]): Shape {
  const { types } = location;
  if (location.branching || above.includes(location)) return SHAPE.tree;
  if (location.isObject && (types === TYPE.object || types === ANY_TYPE)) {
    return location.isArray || location.isOpen ? SHAPE.tree : SHAPE.object;
  }
  if (location.isArray && (types === TYPE.array || types === ANY_TYPE)) {
    return !location.isTuple && isScalar(location.item(0)) ? SHAPE.list : SHAPE.tree;
  }
  return isScalar(location) ? SHAPE.scalar : SHAPE.tree;
}

/** Whether a place takes one text only. */
function isScalar(location: Location): boolean {
  if (location.branching || location.readOnly || location.isObject || location.isArray)
    return false;
  return location.members?.some((each) => typeof each === 'object' && each !== null) !== true;
}
