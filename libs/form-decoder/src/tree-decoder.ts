import { bareCopy, bareObject, isObject } from './bare-object.js';
import { BranchChooser, type Attempt } from './branch-chooser.js';
import { pointerSegment, splitPointer } from './field-names.js';
import { FormError } from './form-decoder.errors.js';
import type { JsonObject, JsonValue } from './form-decoder.types.js';
import { pruneJson } from './json-pruner.js';
import { parseJson } from './json.reader.js';
import type { Location } from './location.js';
import { overlay } from './overlay.js';
import { JsonBox, RawNode } from './raw-node.js';
import { convertText, isBlank, scalarOf, type Scalar } from './scalar.js';
import { ANY_TYPE, TYPE } from './schema-node.js';
import type { Submission } from './submission.js';
import type { Validator } from './validator.js';

/** Where a value is built: how it is addressed and how deep it lies. */
interface Place {
  pointer: string;
  depth: number;
}

const SCALAR_TYPES = TYPE.string | TYPE.boolean | TYPE.number;

/** Decodes the places of a submission that depend on its values, its names or themselves. */
export class TreeDecoder {
  private chooser: BranchChooser | null = null;
  private scalars: Map<Location, Scalar> | null = null;

  constructor(
    private readonly validator: Validator,
    private readonly submission: Submission,
  ) {}

  /**
   * The value of what was sent below a place; undefined when nothing but blanks was. With `force` an
   * object comes into being anyway, for what is missing inside to be named.
   */
  convert(node: RawNode, location: Location, place: Place, force = false): JsonValue | undefined {
    if (!force && node.memoLocation === location) return node.memoValue;
    const { submission } = this;
    const remarks = submission.remarks;
    submission.steps -= 1;
    if (submission.steps < 0 && location.branching) {
      submission.conflict(place.pointer, 'limit.work');
    }
    const applied = location.branching ? this.resolve(location, node, place) : location;
    const value = this.build(node, applied, place, force);
    if (!force && submission.remarks === remarks) {
      node.memoLocation = location;
      node.memoValue = value;
    }
    return value;
  }

  /** What a text, or several, of one place mean. */
  fromTexts(
    texts: readonly (string | JsonBox)[],
    location: Location,
    place: Place,
    at = 0,
  ): JsonValue | undefined {
    const [first] = texts;
    if (texts.length === 1 && first instanceof JsonBox) {
      if (first.converts && Array.isArray(first.value) && location.isArray) {
        return this.listOf(first.value.map(boxed), location, place, at);
      }
      return pruneJson(first.value, location, place.pointer, at, this.submission);
    }
    const scalars = location.types & SCALAR_TYPES;
    if (
      location.isArray &&
      !location.isObject &&
      (scalars === 0 || texts.length > 1 || location.types === ANY_TYPE)
    ) {
      return this.listOf(texts, location, place, at);
    }
    const scalar = this.scalarOf(location);
    const text = pickText(scalar, texts);
    if (text === undefined) return this.blank(location, scalar, texts);
    if (takesJson(location)) return this.fromJsonText(text, location, place, at);
    return convertText(scalar, text, this.submission.timeZone);
  }

  fromJsonText(text: string, location: Location, place: Place, at: number): JsonValue {
    const { limits } = this.submission;
    try {
      const depthMax = Math.max(1, limits.depthMax - place.depth);
      const value = parseJson(text, { depthMax, valuesMax: limits.fieldsMax });
      return pruneJson(value, location, place.pointer, at, this.submission);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      this.submission.conflict(place.pointer, error.code, error.params);
      return text;
    }
  }

  /** Puts in what nobody sent: defaults when asked for, required objects always. */
  fill(object: JsonObject, location: Location, place: Place, node: RawNode | null): void {
    for (const name of location.filledNames) {
      if (object[name] !== undefined) continue;
      const child = location.property(name);
      if (child === null) continue;
      const value = child.keyword('default');
      if (this.submission.useDefaults && value !== undefined) {
        object[name] = bareCopy(value);
      } else if (location.required.has(name) && child.types === TYPE.object && !child.readOnly) {
        const sent = node?.members?.get(name) ?? new RawNode();
        // Blank JSON text is a missing object, not an empty one.
        if (sent.texts !== null && sent.members === null) continue;
        if (place.depth >= this.submission.limits.depthMax) continue;
        const empty = this.convert(sent, child, below(place, name), true);
        if (empty !== undefined) object[name] = empty;
      }
    }
  }

  private build(
    node: RawNode,
    location: Location,
    place: Place,
    force: boolean,
  ): JsonValue | undefined {
    const filled = node.texts?.filter((text) => text !== '') ?? [];
    const at = node.sent[0]?.at ?? 0;
    if (node.entries !== null) {
      if (filled.length > 0 || node.members !== null) this.conflict(place);
      if (location.isArray) return this.fromEntries(node.entries, location, place);
      return this.unplaced(node);
    }
    if (node.members === null && !force) {
      return node.texts === null ? undefined : this.fromTexts(node.texts, location, place, at);
    }
    const [box] = filled;
    const base =
      box instanceof JsonBox
        ? pruneJson(box.value, location, place.pointer, at, this.submission)
        : null;
    if (filled.length > 0 && !isObject(base)) this.conflict(place);
    if (!location.isObject && !location.isFreeForm) return this.unplaced(node);
    return this.object(node, location, place, force, isObject(base) ? base : undefined);
  }

  private object(
    node: RawNode,
    location: Location,
    place: Place,
    force: boolean,
    base: JsonObject | undefined,
  ): JsonObject | undefined {
    let object = base;
    for (const [name, child] of node.members ?? []) {
      const inner = location.member(name);
      if (inner === null || inner.readOnly) {
        this.unplaced(child);
        continue;
      }
      const value = this.convert(child, inner, below(place, name));
      if (value === undefined) continue;
      object ??= bareObject();
      if (object[name] !== undefined) this.conflict(below(place, name));
      else object[name] = value;
    }
    if (object === undefined && !force) return undefined;
    object ??= bareObject();
    this.fill(object, location, place, node);
    return object;
  }

  private fromEntries(
    entries: ReadonlyMap<number, RawNode>,
    location: Location,
    place: Place,
  ): JsonValue[] {
    const list: JsonValue[] = [];
    for (const index of [...entries.keys()].sort((a, b) => a - b)) {
      const node = entries.get(index) as RawNode;
      const value = this.convert(node, location.item(index), below(place, String(list.length)));
      // A row of blanks is a row that was not filled in; what follows closes the gap.
      if (value !== undefined) list.push(value);
    }
    return list;
  }

  private listOf(
    texts: readonly (string | JsonBox)[],
    location: Location,
    place: Place,
    at: number,
  ): JsonValue {
    const filled = texts.filter((text) => text !== '');
    const [only] = filled;
    const item = location.item(0).wide;
    if (filled.length === 1 && typeof only === 'string' && (item.isObject || item.isArray)) {
      if (only.trimStart().startsWith('[')) return this.fromJsonText(only, location, place, at);
    }
    const list: JsonValue[] = [];
    for (const text of filled) {
      const node = new RawNode();
      node.put(text, { name: '', at });
      const value = this.convert(
        node,
        location.item(list.length),
        below(place, String(list.length)),
      );
      if (value !== undefined) list.push(value);
    }
    return list;
  }

  private blank(
    location: Location,
    scalar: Scalar,
    texts: readonly (string | JsonBox)[],
  ): JsonValue | undefined {
    if (!this.submission.emptyIsNull || texts.length === 0) return undefined;
    const { wide } = location;
    const nullable = scalar.nullable || (wide !== location && this.scalarOf(wide).nullable);
    return nullable ? null : undefined;
  }

  private resolve(location: Location, node: RawNode, place: Place): Location {
    this.chooser ??= new BranchChooser(this.validator, this.submission);
    const beneath = memberAt(this.submission.beneath, place.pointer);
    const attempt: Attempt = (candidate) => {
      const value = this.build(node, candidate, place, false);
      if (beneath === undefined || !(value === undefined || isObject(value))) return value;
      return overlay(beneath, value ?? bareObject());
    };
    return this.chooser.resolve(location, node, attempt);
  }

  private scalarOf(location: Location): Scalar {
    this.scalars ??= new Map();
    let scalar = this.scalars.get(location);
    if (scalar === undefined) {
      scalar = scalarOf(location);
      this.scalars.set(location, scalar);
    }
    return scalar;
  }

  private conflict(place: Place): void {
    this.submission.conflict(place.pointer, 'field.conflict');
  }

  private unplaced(node: RawNode): undefined {
    for (const sent of node.allSent()) this.submission.ignore(sent);
    return undefined;
  }
}

function below(place: Place, name: string): Place {
  return { pointer: `${place.pointer}/${pointerSegment(name)}`, depth: place.depth + 1 };
}

/** The object at a pointer, not going through lists: their entries have no lasting place. */
function memberAt(object: JsonObject | undefined, pointer: string): JsonObject | undefined {
  let place: JsonValue | undefined = object;
  for (const segment of object === undefined ? [] : splitPointer(pointer)) {
    if (!isObject(place)) return undefined;
    place = place[segment];
  }
  return isObject(place) ? place : undefined;
}

/** A text where an object belongs, or one of several values of which some are no scalars, is JSON. */
function takesJson(location: Location): boolean {
  if (location.isObject && (location.types & TYPE.string) === 0) return true;
  if (location.isObject && location.types === ANY_TYPE) return true;
  return location.members?.some((each) => typeof each === 'object' && each !== null) === true;
}

function pickText(scalar: Scalar, texts: readonly (string | JsonBox)[]): string | undefined {
  let picked: string | undefined;
  for (const text of texts) {
    if (typeof text !== 'string' || isBlank(scalar, text)) continue;
    picked = text;
    if (!scalar.lastWins) break;
  }
  return picked;
}

/** Scalars of JSON in form convention go through the conversion of texts; the rest stays JSON. */
export function boxed(value: JsonValue): string | JsonBox {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : new JsonBox(value, true);
}
