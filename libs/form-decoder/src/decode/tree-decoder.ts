import { bareCopy, bareObject, isObject } from '../model/bare-object.js';
import { BranchChooser, type Attempt } from './branch-chooser.js';
import { splitPointer } from '../model/field-names.js';
import { FormError } from '../model/form-decoder.errors.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { pruneJson } from './json-pruner.js';
import { parseJson } from '../read/json.reader.js';
import { memberOf } from '../read/scalar-text.js';
import { type Location } from '../schema/location.js';
import { numbered } from './entry-numbers.js';
import { overlay } from '../model/overlay.js';
import { boxed, JsonBox, RawNode, type RawEntry } from './raw-node.js';
import { convertText, filledText, pickText, type Scalar, type ScalarTable } from './scalar.js';
import { ANY_TYPE, SCALARS, TYPE } from '../schema/schema-node.js';
import { type Submission } from './submission.js';
import { type Validator } from '../validate/validator.js';

interface Trial {
  readonly location: Location;
  readonly value: JsonValue | undefined;
  readonly misfit: number;
}

/** Converts the tree of one submission to a value. */
export class TreeDecoder {
  private chooser: BranchChooser | null = null;
  /** From the first branch on: the last value of each node, if making it reported nothing. */
  private trials: Map<RawNode, Trial> | null = null;

  constructor(
    private readonly validator: Validator,
    private readonly scalars: ScalarTable,
    private readonly submission: Submission,
  ) {}

  /** The value of a place that exists even if nothing but blanks was sent: at least an object. */
  convertAlways(node: RawNode, location: Location): JsonValue | undefined {
    return this.convert(node, location) ?? this.convert(node, location, true);
  }

  /**
   * The value of what was sent for a place; undefined if nothing but blanks was. With `force` an
   * object is made anyway, so that validation can name what is missing in it.
   */
  private convert(node: RawNode, location: Location, force = false): JsonValue | undefined {
    const { submission } = this;
    if (this.trials === null && !location.branching) return this.build(node, location, force);
    this.trials ??= new Map();
    const known = this.trials.get(node);
    if (!force && known?.location === location) {
      submission.misfit += known.misfit;
      return known.value;
    }
    const { remarks, misfit } = submission;
    submission.steps -= 1;
    if (submission.steps < 0 && location.branching) {
      submission.conflict(node.pointer, 'limit.work');
    }
    const applied = location.branching ? this.resolve(location, node) : location;
    const value = this.build(node, applied, force);
    if (!force && submission.remarks === remarks) {
      this.trials.set(node, { location, value, misfit: submission.misfit - misfit });
    }
    return value;
  }

  private build(node: RawNode, location: Location, force: boolean): JsonValue | undefined {
    const { members, first } = node;
    const items = members === null ? node.items : node.itemsAt(location);
    if (items !== null && !(node.filled.length > 0 && isOneText(node))) {
      if (node.filled.length > 0) this.conflict(node);
      const list = location.isArray ? this.fromItems(node, items, location) : this.unplaced(node);
      if (members !== null) this.leaveOut(members, items, location);
      return list;
    }
    if (members === null || (first !== null && isOneText(node))) {
      const whole = first !== null ? this.fromEntries(node, location) : undefined;
      if (whole !== undefined || !force) return whole;
    }
    const base = first !== null ? this.wholeObject(node, location) : undefined;
    if (!location.isObject && !location.isFreeForm) return this.unplaced(node);
    return this.object(node, location, force, base);
  }

  /** The JSON object that was sent beside members of the same object. */
  private wholeObject(node: RawNode, location: Location): JsonObject | undefined {
    const { filled } = node;
    const boxes = filled.filter(([, value]) => value instanceof JsonBox);
    const [first] = boxes;
    const base = first === undefined ? undefined : this.pruned(node, first, location);
    if (isObject(base) && boxes.length === filled.length) return base;
    if (filled.some(([, value]) => typeof value !== 'string' || value.trim() !== '')) {
      this.conflict(node);
    }
    return isObject(base) ? base : undefined;
  }

  private object(
    node: RawNode,
    location: Location,
    force: boolean,
    base: JsonObject | undefined,
  ): JsonObject | undefined {
    let object = base;
    for (const child of node.members?.values() ?? []) {
      const name = child.step as string;
      const inner = location.member(name);
      if (inner === null || inner.readOnly) {
        this.unplaced(child);
        continue;
      }
      const value = this.convert(child, inner);
      if (value === undefined) continue;
      object ??= bareObject();
      if (base === undefined || base[name] === undefined) object[name] = value;
      else this.conflict(child);
    }
    if (object === undefined && !force) return undefined;
    object ??= bareObject();
    this.fill(object, location, node);
    return object;
  }

  /** Adds what was not sent: defaults if asked for, required objects always. */
  private fill(object: JsonObject, location: Location, node: RawNode): void {
    for (const name of location.filledNames) {
      if (object[name] !== undefined) continue;
      const child = location.property(name);
      if (child === null) continue;
      const value = child.keyword('default');
      if (this.submission.useDefaults && value !== undefined) {
        object[name] = bareCopy(value);
      } else if (location.required.has(name) && child.types === TYPE.object && !child.readOnly) {
        const sent = node.members?.get(name) ?? new RawNode(node, name);
        // Blank JSON text is a missing object, not an empty one.
        if (sent.first !== null && sent.members === null) continue;
        if (node.depth >= this.submission.limits.depthMax) continue;
        const empty = this.convert(sent, child, true);
        if (empty === undefined) continue;
        object[name] = empty;
        this.submission.misfit += 1;
      }
    }
  }

  /** JSON of an object gets what was not sent, just as fields do. */
  private completed(value: JsonValue, location: Location, node: RawNode): JsonValue {
    if (Array.isArray(value) && location.isArray) {
      for (const [index, item] of value.entries()) {
        if (typeof item !== 'object') continue;
        this.completed(item, location.item(index), new RawNode(node, index));
      }
    }
    if (!isObject(value) || !location.hasFixedMembers) return value;
    for (const name of Object.keys(value)) {
      const child = location.property(name);
      if (child !== null) this.completed(value[name] ?? null, child, new RawNode(node, name));
    }
    this.fill(value, location, node);
    return value;
  }

  /** Members beside the items contradict them only where an object is allowed as well. */
  private leaveOut(
    members: ReadonlyMap<string, RawNode>,
    items: ReadonlyMap<number, RawNode>,
    location: Location,
  ): void {
    for (const [name, member] of members) {
      member.step = name;
      if (items.get(Number(name)) === member) continue;
      if (location.isObject && member.isFilled) this.conflict(member);
      else this.unplaced(member);
    }
  }

  private fromItems(
    node: RawNode,
    items: ReadonlyMap<number, RawNode>,
    location: Location,
  ): JsonValue[] {
    return this.inOrder(node, this.keptItems(node, items, location), location);
  }

  /**
   * The list of items with their indexes. A blank one counts as not filled in: those after it move
   * up, unless their position has a meaning of its own.
   */
  private inOrder(
    node: RawNode,
    items: readonly (readonly [index: number, item: RawNode])[],
    location: Location,
  ): JsonValue[] {
    const list: JsonValue[] = [];
    const numbers: number[] = [];
    for (const [index, item] of items) {
      this.append(list, item, index, location, node);
      while (numbers.length < list.length) {
        numbers.push(numbers.length === list.length - 1 ? index : numbers.length);
      }
    }
    return numbered(list, numbers);
  }

  private append(
    list: JsonValue[],
    item: RawNode,
    index: number,
    location: Location,
    node: RawNode,
  ): void {
    const { tupleLength } = location;
    const position = index < tupleLength ? index : Math.max(list.length, tupleLength);
    item.step = position;
    const value = this.convert(item, location.item(position));
    if (value === undefined) return;
    while (list.length < position) list.push(this.gap(node, list.length, location));
    list.push(value);
  }

  /** A blank position of a tuple before one that is filled in. */
  private gap(node: RawNode, position: number, location: Location): null {
    const place = location.item(position);
    if (this.blank(place, this.scalars.of(place)) === undefined) {
      const { pointer } = new RawNode(node, position);
      this.submission.conflict(pointer, 'required', { property: String(position) });
    }
    return null;
  }

  /** The items in order. Of rows (not of scalars) only the first ones sent, up to the limit. */
  private keptItems(
    node: RawNode,
    items: ReadonlyMap<number, RawNode>,
    location: Location,
  ): [number, RawNode][] {
    const sent = [...items];
    const limit = this.submission.limits.rowsMax;
    const { isObject, isArray } = location.item(0).wide;
    if (sent.length > limit && (isObject || isArray)) {
      this.submission.conflict(node.pointer, 'limit.rows', { limit });
      for (const [, item] of sent.splice(limit)) this.unplaced(item);
    }
    return sent.sort(([a], [b]) => a - b);
  }

  /** Decodes the entries for one place. */
  private fromEntries(node: RawNode, location: Location): JsonValue | undefined {
    const first = node.first as RawEntry;
    if (node.isRepeated && node.entries.some((entry) => entry[1] instanceof JsonBox)) {
      this.conflict(node);
    }
    if (first[1] instanceof JsonBox) {
      const { value, converts } = first[1];
      if (converts && Array.isArray(value) && location.isArray) {
        const texts = value.map((_, index): RawEntry => [first[0], boxed(value, index)]);
        return this.listOf(node, texts, location);
      }
      return this.completed(this.pruned(node, first, location), location, node);
    }
    const scalars = location.types & SCALARS;
    if (
      location.isArray &&
      !location.isObject &&
      (scalars === 0 || node.isRepeated || location.types === ANY_TYPE)
    ) {
      return this.listOf(node, node.entries, location);
    }
    const scalar = this.scalars.of(location);
    const text = node.isRepeated ? pickText(scalar, node.entries) : filledText(scalar, first[1]);
    if (text === undefined) return this.blank(location, scalar);
    if (scalar.isJson) {
      const member = memberOf(scalar.members, text);
      if (member !== undefined) return member;
      return this.completed(this.fromJsonText(node, text, first, location), location, node);
    }
    return convertText(scalar, text, this.submission.timeZone);
  }

  private listOf(node: RawNode, entries: readonly RawEntry[], location: Location): JsonValue {
    const filled = entries.filter((entry) => entry[1] !== '');
    const [only] = filled;
    if (filled.length === 1 && typeof only?.[1] === 'string') {
      const item = location.item(0).wide;
      if ((item.isObject || item.isArray) && only[1].trimStart().startsWith('[')) {
        return this.completed(this.fromJsonText(node, only[1], only, location), location, node);
      }
    }
    const { tupleLength } = location;
    const takesLists = isList(location.item(tupleLength));
    const list: JsonValue[] = [];
    for (let index = 0; index < entries.length; index += 1) {
      const entry = entries[index] as RawEntry;
      const value = entry[1];
      if (value === '') continue;
      const item = new RawNode(node, index);
      // A text is no list, even where one is expected: it stays, so that validation names it.
      const isListed = index < tupleLength ? isList(location.item(index)) : takesLists;
      const isLost = typeof value === 'string' && isListed;
      item.put(isLost ? [entry[0], new JsonBox(value)] : entry);
      this.append(list, item, index, location, node);
    }
    return list;
  }

  private fromJsonText(
    node: RawNode,
    text: string,
    origin: RawEntry,
    location: Location,
  ): JsonValue {
    const { limits } = this.submission;
    try {
      const depthMax = Math.max(1, limits.depthMax - node.depth);
      const value = parseJson(text, { depthMax, valuesMax: limits.fieldsMax });
      return pruneJson(value, location, node.pointer, origin, this.submission);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      this.submission.conflict(node.pointer, error.code, error.params);
      return text;
    }
  }

  private pruned(node: RawNode, origin: RawEntry, location: Location): JsonValue {
    const { value, written } = origin[1] as JsonBox;
    return pruneJson(value, location, node.pointer, origin, this.submission, written);
  }

  private blank(location: Location, scalar: Scalar): JsonValue | undefined {
    if (!this.submission.emptyIsNull) return undefined;
    const { wide } = location;
    const nullable = scalar.nullable || (wide !== location && this.scalars.of(wide).nullable);
    return nullable && wide.membersTakeNull ? null : undefined;
  }

  private resolve(location: Location, node: RawNode): Location {
    this.chooser ??= new BranchChooser(this.validator, this.submission);
    const beneath = memberAt(this.submission.beneath, node);
    const attempt: Attempt = (candidate) => {
      const value = this.build(node, candidate, false);
      if (beneath === undefined || !(value === undefined || isObject(value))) return value;
      return overlay(beneath, value ?? bareObject());
    };
    return this.chooser.resolve(location, node, attempt);
  }

  private conflict(node: RawNode): void {
    this.submission.conflict(node.pointer, 'field.conflict');
  }

  private unplaced(node: RawNode): undefined {
    for (const entry of node.allEntries()) this.submission.ignore(entry);
    return undefined;
  }
}

/** The object at a place, not going through lists: their entries have no lasting place. */
function memberAt(object: JsonObject | undefined, { pointer }: RawNode): JsonObject | undefined {
  let value: JsonValue | undefined = object;
  for (const segment of object === undefined ? [] : splitPointer(pointer)) {
    if (!isObject(value)) return undefined;
    value = value[segment];
  }
  return isObject(value) ? value : undefined;
}

/** Whether nothing but a list belongs to a place. */
function isList({ wide }: Location): boolean {
  return wide.isArray && !wide.isObject && (wide.types & SCALARS) === 0;
}

/** Whether a text was sent and nothing but blanks for the members or items beside it. */
function isOneText(node: RawNode): boolean {
  const isText = node.entries.some(([, value]) => typeof value === 'string');
  return isText && !node.hasFilledChildren;
}
