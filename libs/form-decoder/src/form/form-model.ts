import { isObject } from '../model/bare-object.js';
import { asBrowsersSend } from '../model/field-names.js';
import {
  type FieldError,
  type FormGroupNode,
  type FormModel,
  type FormNode,
  type FormOption,
  type JsonObject,
  type JsonValue,
} from '../model/form-decoder.types.js';
import { type Condition } from './form-conditions.js';
import { type Choice, type FormFacts, type Place } from './form-facts.js';
import { textControl } from './form-input.js';
import { isTitledChoice, labelOf, textOf, textOfMember } from './labels.js';
import { type Location } from '../schema/location.js';
import { OpenErrors } from './open-errors.js';
import { booleanOf, memberOf } from '../read/scalar-text.js';
import { entryNumbers } from '../decode/entry-numbers.js';
import { type SentFields } from './sent-fields.js';
import { ANY_TYPE, SCALARS, TYPE } from '../schema/schema-node.js';

export interface FormContext {
  root: Location;
  only: string | undefined;
  facts: FormFacts;
  value: JsonObject;
  errors: readonly FieldError[];
  /** What was sent of the form, if it is shown again. */
  sent: SentFields | undefined;
  rows: Readonly<Record<string, number>>;
  timeZone: string;
  depthMax: number;
  rowsMax: number;
  /** Rows of all lists together. */
  rowsShownMax: number;
}

/** Radios up to this many options, a select beyond. */
const RADIOS_MAX = 5;

/** Where a node stands, and what is known of that place. */
interface Spot {
  place: Place;
  name: string;
  pointer: string;
  label: string;
  entryLabel: string;
  hint: string | undefined;
  value: JsonValue | undefined;
  required: boolean;
  optional: boolean;
  readOnly: boolean;
  /** Whether what it holds is not shown, as `isSecret` says of it or of a place around it. */
  secret: boolean;
  /** Whether the place exists for sure, so that what is required in it is required of everybody. */
  certain: boolean;
  when: Condition | undefined;
  above: readonly Location[];
}

/** A row of a list: the number in its name, and its position in the value. */
interface RowPlace {
  number: number;
  position: number;
}

type Base = Omit<FormGroupNode, 'kind' | 'children'>;
type Own<Node> = Node extends FormNode ? Omit<Node, keyof Base> : never;

/** The form of a schema, with values and errors put in. */
export function buildForm(context: FormContext): FormModel {
  const builder = new FormBuilder(context);
  const { root, only, facts, value } = context;
  const { language } = facts;
  const start = only === undefined ? root : (root.wide.property(only) as Location);
  const inner = only === undefined ? value : value[only];
  const prefix = only === undefined ? '' : only;
  const nodes = builder.members(
    start,
    isObject(inner) ? inner : undefined,
    { name: prefix, pointer: only === undefined ? '' : `/${only}` },
    { certain: true, readOnly: false, secret: false, above: [] },
  );
  const titled = textOf(root, 'title', language) === undefined ? start : root;
  const description = textOf(titled, 'description', language);
  return {
    title: textOf(titled, 'title', language) ?? labelOf(null, only ?? 'form', language),
    ...(description === undefined ? {} : { description }),
    language,
    nodes,
    errors: builder.unclaimed(),
    ...(builder.hasLeftOut && { isCut: true }),
  };
}

class FormBuilder {
  private readonly open: OpenErrors;
  private rowsShown = 0;
  hasLeftOut = false;

  constructor(private readonly context: FormContext) {
    this.open = new OpenErrors(context.errors);
  }

  unclaimed(): FieldError[] {
    return this.open.rest();
  }

  members(
    location: Location,
    value: JsonObject | undefined,
    place: { name: string; pointer: string },
    around: Pick<Spot, 'certain' | 'readOnly' | 'secret' | 'above'>,
  ): FormNode[] {
    const conditions = this.context.facts.conditions(location, place.name);
    const above = [...around.above, location.wide];
    const nodes: FormNode[] = [];
    for (const member of this.context.facts.members(location)) {
      const { property, label } = member.place;
      const given = value?.[property];
      const node = this.node({
        place: member.place,
        name: place.name === '' ? member.nameSegment : `${place.name}.${member.nameSegment}`,
        pointer: `${place.pointer}/${member.pointerSegment}`,
        label,
        entryLabel: member.entryLabel,
        hint: member.place.hint,
        value: given,
        required: member.required && around.certain,
        optional: !member.required,
        readOnly: around.readOnly || member.readOnly,
        secret: around.secret || member.place.isSecret,
        certain: around.certain && (member.required || given !== undefined),
        when: conditions.get(property),
        above,
      });
      if (node !== null) nodes.push(node);
    }
    return nodes;
  }

  private node(spot: Spot): FormNode | null {
    const { value, above } = spot;
    const { location } = spot.place;
    if (above.length > this.context.depthMax) return null;
    // A schema that contains itself: as deep as the value goes, and no further.
    if (above.includes(location) && value === undefined) return null;
    const [container, ...others] = containersOf(location);
    if (others.length > 0) return this.mixed(spot);
    if (container === 'object') return this.object(spot);
    return container === 'list' ? this.list(spot) : this.single(spot);
  }

  /** A place for values of several kinds: the fields of each in one group. */
  private mixed(spot: Spot): FormNode {
    const base = this.base(spot);
    const { value } = spot;
    const children = containersOf(spot.place.location).flatMap((container) => {
      if (container === 'object') return this.fieldsOf(spot);
      const fits = Array.isArray(value) === (container === 'list') && !isObject(value);
      const own: Spot = {
        ...spot,
        hint: undefined,
        value: fits ? value : undefined,
        required: false,
        optional: false,
        when: undefined,
      };
      return container === 'list' ? this.list(own) : this.single(own);
    });
    return nodeOf(base, { kind: 'group', children });
  }

  private single(spot: Spot): FormNode {
    const { value } = spot;
    const { location } = spot.place;
    const { members } = location;
    const scalar = members?.every((each) => typeof each !== 'object' || each === null) === true;
    if (members !== null && !scalar) return this.json(spot);
    if (isBoolean(location) && !isTitledChoice(location)) {
      const required = spot.required && members?.includes(false) === false;
      const sent = spot.secret ? undefined : this.textsOf(spot)?.at(-1);
      return nodeOf(this.base({ ...spot, required }), {
        kind: 'checkbox',
        checked: sent === undefined ? value === true : booleanOf(sent.trim()) === true,
      });
    }
    if (members?.length === 1 && location.main.some(({ source }) => 'const' in source)) {
      const text = textOfMember(members[0] as JsonValue);
      return nodeOf(this.base(spot), {
        kind: 'input',
        type: 'hidden',
        value: text,
        attributes: {},
      });
    }
    if (members !== null) return this.choice(spot, members);
    const typed = this.textOf(spot);
    const { timeZone } = this.context;
    const control = textControl(spot.place.control, value, timeZone, spot.secret, typed);
    return nodeOf(this.base(spot, false, mayBeBlank(spot)), control);
  }

  private choice(spot: Spot, members: readonly JsonValue[]): FormNode {
    const typed = this.textOf(spot);
    const chosen = typed === undefined ? spot.value : memberOf(members, typed);
    const options = optionsOf(spot.place.choices, spot.secret ? [] : [chosen]);
    return nodeOf(this.base(spot, false, mayBeBlank(spot)), {
      kind: options.length > 0 && options.length <= RADIOS_MAX ? 'radios' : 'select',
      type: numeric(members) ? 'number' : 'text',
      options,
      attributes: {},
    });
  }

  private object(spot: Spot): FormNode | null {
    if (spot.place.location.propertyNames.length === 0) return this.json(spot);
    const base = this.base(spot);
    return nodeOf(base, { kind: 'group', children: this.fieldsOf(spot) });
  }

  /** The fields of the members of an object. */
  private fieldsOf(spot: Spot): FormNode[] {
    const { value, certain, readOnly, secret, above } = spot;
    const around = { certain, readOnly, secret, above };
    return this.members(spot.place.location, isObject(value) ? value : undefined, spot, around);
  }

  private list(spot: Spot): FormNode {
    const { location, property } = spot.place;
    const item = location.item(0).wide;
    const entries = Array.isArray(spot.value) && !spot.secret ? spot.value : [];
    if (item.members !== null && !item.isObject && !item.isArray && item.members.length > 0) {
      return this.boxes(spot, this.context.facts.place(item, property), item.members);
    }
    if (item.isArray && (item.types & SCALARS) === 0) return this.json(spot);
    const grouped = item.isObject && item.propertyNames.length > 0;
    const base = this.base(spot);
    const { rowsMax } = this.context;
    const least = numberOr(location.keyword('minItems'), 0);
    const most = numberOr(location.keyword('maxItems'), rowsMax);
    const first = grouped || spot.readOnly ? 0 : 1;
    const places = this.rowPlaces(spot, entries, Math.min(Math.max(least, first), rowsMax));
    // One too many shows that there are too many; further ones say nothing new.
    const count = Math.min(places.length, most + 1, rowsMax);
    for (const { position } of places.splice(count)) {
      this.open.claim(`${spot.pointer}/${position}`, true);
    }
    const rows: FormNode[] = [];
    for (const [index, place] of places.entries()) {
      if (this.rowsShown >= this.context.rowsShownMax) {
        this.hasLeftOut = true;
        break;
      }
      this.rowsShown += 1;
      const row = this.row(spot, index, place, entries[place.position]);
      if (row !== null) rows.push(row);
    }
    const kind = grouped ? 'rows' : 'list';
    const entryTitle = textOf(item, 'title', this.context.facts.language);
    const own = { kind, rows, rowsMin: least, rowsMax: most } as const;
    return nodeOf(base, entryTitle === undefined ? own : { ...own, entryTitle });
  }

  /** A list of allowed values: a box for each of them. */
  private boxes(spot: Spot, item: Place, members: readonly JsonValue[]): FormNode {
    const { value } = spot;
    const sent = this.textsOf(spot)?.filter((text) => text !== '');
    const stored = Array.isArray(value) ? value : [];
    const chosen = sent?.map((text) => memberOf(members, text)) ?? stored;
    const options = optionsOf(item.choices, spot.secret ? [] : chosen);
    const type = numeric(members) ? 'number' : 'text';
    return nodeOf(this.base(spot, true), { kind: 'checkboxes', type, options, attributes: {} });
  }

  /** The rows to show, at least some: those that were sent, by number, or those of the value. */
  private rowPlaces(spot: Spot, entries: readonly JsonValue[], least: number): RowPlace[] {
    const { sent, rows } = this.context;
    const known = entryNumbers(entries) ?? [...entries.keys()];
    const numbers = (spot.readOnly ? undefined : sent?.rowsOf(spot.name)) ?? [...known];
    let next = Math.max(rows[asBrowsersSend(spot.name)] ?? 0, (numbers.at(-1) ?? -1) + 1);
    while (numbers.length < least) numbers.push(next++);
    const positions = new Map(known.map((number, position) => [number, position]));
    // A blank row is not in the value, and no error belongs to it.
    let blank = entries.length;
    return numbers.map((number) => ({ number, position: positions.get(number) ?? blank++ }));
  }

  private row(
    spot: Spot,
    index: number,
    { number, position }: RowPlace,
    value: JsonValue | undefined,
  ): FormNode | null {
    const { facts } = this.context;
    const { location, property } = spot.place;
    const item = location.item(number);
    const title = textOf(item, 'title', facts.language) ?? spot.entryLabel;
    const place = facts.place(item.wide, property);
    return this.node({
      place,
      name: `${spot.name}.${number}`,
      pointer: `${spot.pointer}/${position}`,
      label: `${title} ${index + 1}`,
      entryLabel: spot.entryLabel,
      hint: place.hint,
      value,
      required: false,
      optional: false,
      readOnly: spot.readOnly,
      secret: spot.secret,
      certain: value !== undefined,
      when: undefined,
      above: [...spot.above, location],
    });
  }

  /** A place without a control of its own is shown as JSON text, and may be sent as JSON text. */
  private json(spot: Spot): FormNode {
    const value = spot.secret ? undefined : (this.textOf(spot) ?? spot.value);
    const text =
      typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
    return nodeOf(this.base(spot, true), {
      kind: 'textarea',
      type: 'text',
      value: text,
      attributes: {},
    });
  }

  /** The texts that were sent for a control. */
  private textsOf({ name, readOnly }: Spot): readonly string[] | undefined {
    return readOnly ? undefined : this.context.sent?.textsOf(name);
  }

  private textOf({ name, readOnly }: Spot): string | undefined {
    return readOnly ? undefined : this.context.sent?.textOf(name);
  }

  /**
   * Properties of every node; `below` also claims the errors of places within this one, and a control
   * with `blank` may be left empty although its property is required.
   */
  private base(spot: Spot, below = false, blank = false): Base {
    const { name, pointer, label, hint, optional, readOnly, when } = spot;
    const required = spot.required && !blank;
    const errors = this.open.claim(pointer, below);
    const base: Base =
      hint === undefined
        ? { name, pointer, label, required, optional, readOnly, errors }
        : { name, pointer, label, hint, required, optional, readOnly, errors };
    if (when !== undefined) base.when = when;
    return base;
  }
}

type Container = 'single' | 'object' | 'list';

/** The kinds of values that a place takes, each with fields of its own: one control, members, or entries. */
function containersOf(location: Location): readonly Container[] {
  const { isObject, isArray, types, members, propertyNames } = location;
  if (types === ANY_TYPE) return [isObject ? 'object' : isArray ? 'list' : 'single'];
  const hasScalars = (types & SCALARS) !== 0;
  if (members !== null && hasScalars) return ['single'];
  const found: Container[] = hasScalars ? ['single'] : [];
  if (isObject && propertyNames.length > 0) found.push('object');
  if (isArray) found.push('list');
  if (found.length === 0) found.push(isObject ? 'object' : 'single');
  return found;
}

/** Not `{ ...base, ...own }`, which takes V8 a microsecond and more for each node. */
function nodeOf(base: Base, own: Own<FormNode>): FormNode {
  return Object.assign(base, own);
}

/** Where an empty control is a valid answer: null, or what is stored already. */
function mayBeBlank({ place: { location }, value, secret }: Spot): boolean {
  const { types, members } = location;
  if (value === '' || value === null || (secret && value !== undefined)) return true;
  return (types !== ANY_TYPE && (types & TYPE.null) !== 0) || members?.includes(null) === true;
}

function isBoolean({ members, types }: Location): boolean {
  return areBooleans(members) || (types & ~TYPE.null) === TYPE.boolean;
}

function areBooleans(members: readonly JsonValue[] | null): boolean {
  return (
    members !== null && members.length > 0 && members.every((each) => typeof each === 'boolean')
  );
}

function optionsOf(
  choices: readonly Choice[],
  chosen: readonly (JsonValue | undefined)[],
): FormOption[] {
  const texts = chosen.map((each) => (each === undefined ? '' : textOfMember(each)));
  return choices.map(({ value, label }) => ({ value, label, selected: texts.includes(value) }));
}

function numeric(members: readonly JsonValue[]): boolean {
  return members.every((member) => typeof member === 'number' || member === null);
}

function numberOr(value: JsonValue | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
