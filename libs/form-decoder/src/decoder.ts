import { bareCopy, bareObject, isObject } from './bare-object.js';
import { escapeSegment } from './field-names.js';
import type {
  Decoded,
  DecodeOptions,
  FormEntry,
  FormFields,
  FormLimits,
  JsonObject,
  JsonValue,
} from './form-decoder.types.js';
import { SHAPE, type Field, type FieldTable } from './field-table.js';
import { pruneJson } from './json-pruner.js';
import { putByName, putInSlot } from './name-resolver.js';
import { IndexedTexts, JsonBox, RawNode } from './raw-node.js';
import { convertText, isBlank } from './scalar.js';
import { Submission, type Slot } from './submission.js';
import { boxed, TreeDecoder } from './tree-decoder.js';
import type { Validator } from './validator.js';

/** Fills the slots from names and values, then builds the value from the slots in schema order. */
export class Decoder {
  constructor(
    private readonly table: FieldTable,
    private readonly validator: Validator,
    private readonly limits: FormLimits,
    private readonly label: (pointer: string) => string,
  ) {}

  decode(fields: FormFields, options: DecodeOptions): Decoded {
    const submission = this.submission(options);
    const { table } = this;
    let at = 0;
    let before = table.root;
    for (const [name, value] of entriesOf(fields)) {
      const field = table.find(name, before);
      if (field !== undefined) before = field;
      if (
        field !== undefined &&
        field.shape === SHAPE.scalar &&
        submission.slots[field.slot] === undefined
      ) {
        submission.slots[field.slot] = value;
      } else {
        this.put(submission, field, name, at, value);
      }
      at += 1;
    }
    submission.steps += at * STEPS_PER_ENTRY;
    return this.build(submission);
  }

  decodeJson(document: JsonObject, options: DecodeOptions): Decoded {
    const submission = this.submission(options);
    let at = 0;
    for (const name of Object.keys(document)) {
      const field = this.table.byName.get(name);
      this.putJson(submission, field, name, at, boxed(document[name] as JsonValue));
      at += 1;
    }
    return this.build(submission);
  }

  /** Nested objects go member by member to where dotted names would, so that both can meet. */
  private putJson(
    submission: Submission,
    field: Field | undefined,
    name: string,
    at: number,
    value: string | JsonBox,
  ): void {
    const object = typeof value === 'string' ? null : value.value;
    if (field?.shape !== SHAPE.object || !isObject(object)) {
      return this.put(submission, field, name, at, value);
    }
    submission.slots[field.slot] ??= EMPTY_OBJECT;
    for (const property of Object.keys(object)) {
      const child = field.byProperty.get(property);
      const inner = `${name}.${escapeSegment(property)}`;
      if (child === undefined || child.location.readOnly) submission.ignore({ name: inner, at });
      else this.putJson(submission, child, inner, at, new JsonBox(object[property] as JsonValue));
    }
  }

  private submission(options: DecodeOptions): Submission {
    return new Submission(this.table.slots, this.limits, options, this.label);
  }

  private put(
    submission: Submission,
    field: Field | undefined,
    name: string,
    at: number,
    value: string | JsonBox,
  ): void {
    if (field === undefined) return putByName(this.table, submission, { name, at }, value);
    if (field.shape !== SHAPE.tree) return putInSlot(field, submission, value);
    const known = submission.slots[field.slot];
    const node = known instanceof RawNode ? known : new RawNode();
    submission.slots[field.slot] = node;
    node.put(value, { name, at });
  }

  private build(submission: Submission): Decoded {
    const tree = new TreeDecoder(this.validator, submission);
    const { root } = this.table;
    const value =
      root.shape === SHAPE.object
        ? objectValue(root, submission, tree, true)
        : tree.convert(rawNode(submission.slots[root.slot]), root.location, ROOT, true);
    return {
      value: isObject(value) ? value : bareObject(),
      ignored: submission.ignored,
      conflicts: submission.conflicts,
    };
  }
}

/** An object was sent whose members, if it had any, are in their own slots. */
const EMPTY_OBJECT = new JsonBox({});
const STEPS_PER_ENTRY = 256;
const ROOT = { pointer: '', depth: 0 };

function entriesOf(fields: FormFields): Iterable<FormEntry> {
  if (Symbol.iterator in fields) return fields as Iterable<FormEntry>;
  const entries: FormEntry[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') entries.push([name, value]);
    else for (const each of value) entries.push([name, each]);
  }
  return entries;
}

function rawNode(slot: Slot): RawNode {
  return slot instanceof RawNode ? slot : new RawNode();
}

function fieldValue(
  field: Field,
  submission: Submission,
  tree: TreeDecoder,
): JsonValue | undefined {
  const slot = submission.slots[field.slot];
  switch (field.shape) {
    case SHAPE.scalar:
      return slot === undefined ? undefined : scalarValue(field, slot, submission);
    case SHAPE.list:
      return slot === undefined ? undefined : listValue(field, slot, submission);
    case SHAPE.object:
      return objectValue(field, submission, tree, false);
    default:
      return slot instanceof RawNode
        ? tree.convert(slot, field.location, placeOf(field))
        : undefined;
  }
}

function scalarValue(field: Field, slot: Slot, submission: Submission): JsonValue | undefined {
  const { scalar } = field;
  if (typeof slot === 'string') {
    if (!isBlank(scalar, slot)) return convertText(scalar, slot, submission.timeZone);
    return submission.emptyIsNull && scalar.nullable ? null : undefined;
  }
  if (!(slot instanceof JsonBox)) return undefined;
  return pruneJson(slot.value, field.location, field.pointer, 0, submission);
}

function listValue(field: Field, slot: Slot, submission: Submission): JsonValue | undefined {
  if (slot instanceof JsonBox) {
    if (!slot.converts || !Array.isArray(slot.value)) {
      return pruneJson(slot.value, field.location, field.pointer, 0, submission);
    }
    return entryValues(field, slot.value.map(boxed), submission);
  }
  if (!(slot instanceof IndexedTexts)) {
    const texts = typeof slot === 'string' ? [slot] : (slot as (string | JsonBox)[]);
    return entryValues(field, texts, submission);
  }
  if (slot.texts.some((text) => text !== '')) submission.conflict(field.pointer, 'field.conflict');
  const list: JsonValue[] = [];
  for (const index of [...slot.entries.keys()].sort((a, b) => a - b)) {
    const texts = slot.entries.get(index) as (string | JsonBox)[];
    const { lastWins } = field.scalar;
    const values = entryValues(field, texts, submission);
    const value = values.at(lastWins ? -1 : 0);
    if (value !== undefined) list.push(value);
  }
  return list;
}

/** The values of a list; blanks are dropped, so that one blank alone is the empty list. */
function entryValues(
  field: Field,
  texts: readonly (string | JsonBox)[],
  submission: Submission,
): JsonValue[] {
  const { scalar } = field;
  const list: JsonValue[] = [];
  for (const text of texts) {
    if (typeof text !== 'string') {
      const pointer = `${field.pointer}/${list.length}`;
      list.push(pruneJson(text.value, field.location.item(0), pointer, 0, submission));
    } else if (!isBlank(scalar, text)) {
      list.push(convertText(scalar, text, submission.timeZone));
    }
  }
  return list;
}

function objectValue(
  field: Field,
  submission: Submission,
  tree: TreeDecoder,
  force: boolean,
): JsonValue | undefined {
  const slot = submission.slots[field.slot];
  const whole =
    slot === undefined || slot === '' ? undefined : wholeObject(field, slot, submission, tree);
  let object = isObject(whole) ? whole : undefined;
  for (const child of field.fields) {
    const value = fieldValue(child, submission, tree);
    if (value === undefined) continue;
    object ??= bareObject();
    if (whole === undefined) {
      object[child.property] = value;
    } else if (typeof slot === 'string' || !isObject(whole)) {
      submission.conflict(field.pointer, 'field.conflict');
    } else if (object[child.property] !== undefined) {
      submission.conflict(child.pointer, 'field.conflict');
    } else {
      object[child.property] = value;
    }
  }
  if (object === undefined) {
    if (whole !== undefined) return whole;
    // Blank JSON text is a missing object, not an empty one.
    if (!force || (slot !== undefined && !field.isAlwaysThere)) return undefined;
    object = bareObject();
  }
  if (field.filled.length > 0) fillObject(field, object, submission, tree);
  return object;
}

/** The object as one JSON text, or as JSON. */
function wholeObject(
  field: Field,
  slot: Slot,
  submission: Submission,
  tree: TreeDecoder,
): JsonValue | undefined {
  if (slot instanceof JsonBox) {
    return pruneJson(slot.value, field.location, field.pointer, 0, submission);
  }
  return typeof slot === 'string' && slot.trim() !== ''
    ? tree.fromJsonText(slot, field.location, placeOf(field), 0)
    : undefined;
}

function fillObject(
  field: Field,
  object: JsonObject,
  submission: Submission,
  tree: TreeDecoder,
): void {
  for (const child of field.filled) {
    if (object[child.property] !== undefined) continue;
    if (submission.useDefaults && child.defaultValue !== undefined) {
      object[child.property] = bareCopy(child.defaultValue);
    } else if (child.isRequiredObject && !child.location.readOnly) {
      const value = emptyObject(child, submission, tree);
      if (value !== undefined) object[child.property] = value;
    }
  }
}

function emptyObject(
  field: Field,
  submission: Submission,
  tree: TreeDecoder,
): JsonValue | undefined {
  if (field.shape === SHAPE.object) return objectValue(field, submission, tree, true);
  const slot = submission.slots[field.slot];
  if (slot instanceof RawNode && slot.texts !== null && slot.members === null) return undefined;
  return tree.convert(rawNode(slot), field.location, placeOf(field), true);
}

function placeOf(field: Field): { pointer: string; depth: number } {
  return { pointer: field.pointer, depth: field.depth };
}
