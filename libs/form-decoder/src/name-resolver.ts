import { joinPointer, RESERVED_NAMES, splitName } from './field-names.js';
import { SHAPE, type Field, type FieldTable } from './field-table.js';
import type { Location } from './location.js';
import { isBlank } from './scalar.js';
import { IndexedTexts, JsonBox, RawNode, type SentName } from './raw-node.js';
import type { Slot, Submission } from './submission.js';

/**
 * Finds the place of a name that is not one of the laid out ones: names with an index or an escape,
 * names below unions and open objects, and names that have no place at all.
 */

const INDEX = /^(?:0|[1-9]\d{0,8})$/;
const DIGITS = /^\d+$/;

/** A step into a member (by name) or an entry (by index). */
type Step = string | number;

/** What `[]` at the end of a name says: one more entry of the list before it. */
const APPEND = Symbol('[]');
type Segment = string | typeof APPEND;

export function putByName(
  table: FieldTable,
  submission: Submission,
  sent: SentName,
  value: string | JsonBox,
): void {
  const segments: Segment[] = splitName(sent.name);
  if (segments.some((segment) => RESERVED_NAMES.has(segment as string))) {
    return submission.ignore(sent);
  }
  let field = table.root;
  let index = 0;
  while (index < segments.length && field.shape === SHAPE.object) {
    const segment = segments[index] as string;
    const child = field.byProperty.get(segment);
    if (child === undefined) {
      const parts = splitBrackets(segment, field.location.wide);
      if (parts === null || !field.byProperty.has(parts[0] as string))
        return submission.ignore(sent);
      segments.splice(index, 1, ...parts);
      continue;
    }
    if (child.location.readOnly) return submission.ignore(sent);
    field = child;
    index += 1;
  }
  putBelow(field, segments.slice(index), submission, sent, value);
}

function putBelow(
  field: Field,
  rest: readonly Segment[],
  submission: Submission,
  sent: SentName,
  value: string | JsonBox,
): void {
  if (field.shape === SHAPE.tree) {
    const { slots } = submission;
    const node = slots[field.slot] instanceof RawNode ? slots[field.slot] : new RawNode();
    slots[field.slot] = node;
    return putInTree(node as RawNode, field, rest, submission, sent, value);
  }
  if (field.shape === SHAPE.list && rest.length <= 1) {
    const [entry] = rest;
    if (entry === undefined || entry === APPEND) return putInList(field, submission, null, value);
    if (INDEX.test(entry)) return putInList(field, submission, Number(entry), value);
    if (DIGITS.test(entry)) {
      submission.ignore(sent);
      return submission.conflict(field.pointer, 'field.index', { index: entry.slice(0, 32) });
    }
  }
  if (rest.length === 0) return putInSlot(field, submission, value);
  submission.ignore(sent);
}

/** Puts a value into the slot of a field: of a scalar only the one that counts is kept. */
export function putInSlot(field: Field, submission: Submission, value: string | JsonBox): void {
  const { slots } = submission;
  const known = slots[field.slot];
  if (field.shape === SHAPE.list) return putInList(field, submission, null, value);
  if (known === undefined) {
    slots[field.slot] = value;
  } else if (typeof value !== 'string' || typeof known !== 'string') {
    submission.conflict(field.pointer, 'field.conflict');
  } else {
    const { scalar } = field;
    const counts = scalar.lastWins ? !isBlank(scalar, value) : isBlank(scalar, known);
    if (counts) slots[field.slot] = value;
  }
}

function putInList(
  field: Field,
  submission: Submission,
  index: number | null,
  value: string | JsonBox,
): void {
  const { slots } = submission;
  const known = slots[field.slot];
  if (
    known instanceof JsonBox ||
    (known !== undefined && index === null && value instanceof JsonBox)
  ) {
    return submission.conflict(field.pointer, 'field.conflict');
  }
  if (known instanceof IndexedTexts || index !== null) {
    const indexed = known instanceof IndexedTexts ? known : new IndexedTexts(textsOf(known));
    slots[field.slot] = indexed;
    indexed.put(index, value);
  } else if (known === undefined) {
    slots[field.slot] = value;
  } else if (Array.isArray(known)) {
    known.push(value);
  } else {
    slots[field.slot] = [...textsOf(known), value];
  }
}

function textsOf(slot: Slot): (string | JsonBox)[] {
  if (slot === undefined) return [];
  return Array.isArray(slot) ? slot : [slot as string | JsonBox];
}

function putInTree(
  node: RawNode,
  field: Field,
  rest: readonly Segment[],
  submission: Submission,
  sent: SentName,
  value: string | JsonBox,
): void {
  const depth = field.pointer.split('/').length - 1;
  const { depthMax } = submission.limits;
  const steps = stepsOf(field.location, rest, depth, depthMax);
  if (steps === null) return submission.ignore(sent);
  if (!Array.isArray(steps)) {
    submission.ignore(sent);
    return submission.conflict(`${field.pointer}${steps.below}`, steps.code, steps.params);
  }
  let place = node;
  for (const step of steps) {
    if (typeof step === 'string') {
      place = place.member(step);
    } else if ((place.entries?.size ?? 0) < submission.limits.rowsMax) {
      place = place.entry(step);
    } else {
      const known = place.entries?.get(step);
      if (known === undefined) {
        submission.ignore(sent);
        const params = { limit: submission.limits.rowsMax };
        return submission.conflict(field.pointer, 'limit.rows', params);
      }
      place = known;
    }
  }
  place.put(value, sent);
}

interface Refusal {
  code: string;
  below: string;
  params: Record<string, string | number>;
}

/** The steps that a name means at a place, null where it has none there. */
function stepsOf(
  start: Location,
  segments: readonly Segment[],
  depth: number,
  depthMax: number,
): Step[] | Refusal | null {
  const steps: Step[] = [];
  const open = [...segments].reverse();
  let location = start;
  for (let segment = open.pop(); segment !== undefined; segment = open.pop()) {
    const { wide } = location;
    if (segment === APPEND) return wide.isArray && open.length === 0 ? steps : null;
    if (depth + steps.length >= depthMax) {
      return { code: 'limit.depth', below: joinPointer(steps), params: { limit: depthMax } };
    }
    const declared = wide.property(segment);
    let next: Location | null;
    if (declared === null && wide.isArray && INDEX.test(segment)) {
      steps.push(Number(segment));
      next = wide.item(Number(segment));
    } else if (declared === null && wide.isArray && !wide.isObject && DIGITS.test(segment)) {
      const index = segment.slice(0, 32);
      return { code: 'field.index', below: joinPointer(steps), params: { index } };
    } else {
      const parts = declared === null ? splitBrackets(segment, wide) : null;
      if (parts !== null) {
        open.push(...parts.reverse());
        continue;
      }
      next = declared ?? wide.open(segment);
      steps.push(segment);
    }
    if (next === null || next.readOnly) return null;
    location = next;
  }
  return steps;
}

/**
 * `a[0][1]` to `a`, `0`, `1` where `a` is a list of the place, by name or by index. The longest name
 * counts, because brackets may be part of one. Null where that reads nothing.
 */
function splitBrackets(segment: string, place: Location): Segment[] | null {
  const indexes: Segment[] = [];
  let name = segment;
  while (name.endsWith(']')) {
    const bracket = name.lastIndexOf('[');
    const index = name.slice(bracket + 1, -1);
    if (bracket === -1 || !(index === '' || DIGITS.test(index))) return null;
    indexes.unshift(index === '' ? APPEND : index);
    name = name.slice(0, bracket);
    const list = place.property(name) ?? entryOf(place, name);
    if (list?.wide.isArray === true) return [name, ...indexes];
  }
  return null;
}

function entryOf(place: Location, index: string): Location | null {
  return place.isArray && INDEX.test(index) ? place.item(Number(index)) : null;
}
