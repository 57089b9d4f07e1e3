import { asBrowsersSend, joinPointer, RESERVED_NAMES, splitName } from '../model/field-names.js';
import { INDEX, type Location } from '../schema/location.js';

const DIGITS = /^\d+$/;
/** Remembered names. Only declared ones are, so that senders cannot fill the table with others. */
const NAMES_MAX = 4000;

/** A step into a member (by name) or a list entry (by index). */
export type Step = string | number;

interface KnownName {
  readonly name: string;
  readonly steps: readonly Step[];
  /** The name that followed this one most recently. */
  next: KnownName | undefined;
}

/** A name that has no place because of its index or its depth. */
export interface Refusal {
  readonly code: 'field.index' | 'limit.depth';
  readonly pointer: string;
  readonly params: Record<string, string | number>;
}

/** `[]` at the end of a name: one more entry of the list before it. */
const APPEND = Symbol('[]');
type Segment = string | typeof APPEND;

/**
 * Finds the place of a name by the schema: `address.city`, `rows.0.k`, `rows[0].k`, `tags[]`. A
 * name that the schema has no place for, or only a read-only one, has none.
 */
export class NameResolver {
  private readonly known = new Map<string, KnownName>();
  private last: KnownName | undefined;

  constructor(
    private readonly root: Location,
    private readonly depthMax: number,
    /** The only property of the root that names may lead into; undefined for all of them. */
    private readonly only?: string,
  ) {}

  /** The steps from the root to the place of a name; null where it has no place. */
  resolve(name: string): readonly Step[] | Refusal | null {
    const { last } = this;
    // Forms send the same names in the same order; comparing two names is cheaper than hashing one.
    if (last?.next?.name === name) return (this.last = last.next).steps;
    const known = this.known.get(name);
    if (known !== undefined) {
      if (last !== undefined) last.next = known;
      this.last = known;
      return known.steps;
    }
    const segments = splitName(name);
    if (this.only !== undefined && segments[0] !== this.only) return null;
    if (segments.some((segment) => RESERVED_NAMES.has(segment))) return null;
    return this.follow(name, segments);
  }

  private follow(name: string, segments: readonly string[]): readonly Step[] | Refusal | null {
    const steps: Step[] = [];
    const open: Segment[] = [...segments].reverse();
    let location = this.root;
    let isDeclared = true;
    for (let segment = open.pop(); segment !== undefined; segment = open.pop()) {
      const { wide } = location;
      if (segment === APPEND) return wide.isArray && open.length === 0 ? steps : null;
      if (steps.length >= this.depthMax) {
        return {
          code: 'limit.depth',
          pointer: joinPointer(steps),
          params: { limit: this.depthMax },
        };
      }
      const property = propertyOf(wide, segment);
      const declared = wide.property(property);
      const isList = wide.isArray && !wide.isObject;
      let next: Location | null;
      if (isList && INDEX.test(segment)) {
        steps.push(Number(segment));
        next = wide.item(Number(segment));
      } else if (isList && declared === null && DIGITS.test(segment)) {
        return longIndex(wide, segment, steps, open.length > 0);
      } else {
        const parts = declared === null ? splitBrackets(segment, wide) : null;
        if (parts !== null) {
          open.push(...parts.reverse());
          continue;
        }
        next = wide.memberOrItem(property);
        steps.push(property);
      }
      if (next === null || next.readOnly) return null;
      isDeclared &&= declared !== null;
      location = next;
    }
    if (isDeclared && this.known.size < NAMES_MAX) {
      this.known.set(name, { name, steps, next: undefined });
    }
    return steps;
  }
}

/** Refuses an index with too many digits; null where the rest of the name has no place in an entry. */
function longIndex(
  list: Location,
  index: string,
  steps: readonly Step[],
  hasRest: boolean,
): Refusal | null {
  const item = list.item(0).wide;
  if (hasRest && !item.isObject && !item.isArray) return null;
  return {
    code: 'field.index',
    pointer: joinPointer(steps),
    params: { index: index.slice(0, 32) },
  };
}

/**
 * `a[0][1]` to `a`, `0`, `1` where `a` is a list, by name or by index. The longest name wins,
 * because brackets may be part of a property name; of names that no schema lists, the shortest.
 * Null where no list matches.
 */
function splitBrackets(segment: string, place: Location): Segment[] | null {
  const indexes: Segment[] = [];
  let name = segment;
  let found: Segment[] | null = null;
  while (name.endsWith(']')) {
    const bracket = name.lastIndexOf('[');
    const index = name.slice(bracket + 1, -1);
    if (bracket === -1 || !(index === '' || DIGITS.test(index))) break;
    indexes.unshift(index === '' ? APPEND : index);
    name = name.slice(0, bracket);
    const list = place.property(propertyOf(place, name)) ?? entryOf(place, name);
    if (list?.wide.isArray === true) return [name, ...indexes];
    if (list === null && isOpenList(place, name)) found = [name, ...indexes];
  }
  return found;
}

/** Whether patternProperties or additionalProperties make a list of a property. */
function isOpenList(place: Location, name: string): boolean {
  return name !== '' && !RESERVED_NAMES.has(name) && place.open(name)?.wide.isArray === true;
}

/** The property that a name means; one with line breaks is also meant as browsers send it. */
function propertyOf(place: Location, name: string): string {
  if (!name.includes('\n') || place.property(name) !== null) return name;
  return place.propertyNames.find((each) => asBrowsersSend(each) === name) ?? name;
}

function entryOf(place: Location, index: string): Location | null {
  return place.isArray && INDEX.test(index) ? place.item(Number(index)) : null;
}
