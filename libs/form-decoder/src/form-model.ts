import { isObject } from './bare-object.js';
import { escapeSegment, pointerSegment } from './field-names.js';
import { propertiesInOrder } from './field-order.js';
import type {
  FieldError,
  FormGroupNode,
  FormModel,
  FormNode,
  FormOption,
  JsonObject,
  JsonValue,
  Language,
} from './form-decoder.types.js';
import { textControl } from './form-input.js';
import { conditionsOf, type Condition } from './form-conditions.js';
import { labelAt, labelOf, textOf, titleOfMember } from './labels.js';
import type { Location } from './location.js';
import { ANY_TYPE, TYPE } from './schema-node.js';
import type { Validator } from './validator.js';

export interface FormContext {
  root: Location;
  only: string | undefined;
  validator: Validator;
  value: JsonObject;
  errors: readonly FieldError[];
  language: Language;
  rows: Readonly<Record<string, number>>;
  timeZone: string;
  depthMax: number;
  rowsMax: number;
}

/** Radios up to this many options, a select beyond. */
const RADIOS_MAX = 5;
const SCALARS = TYPE.string | TYPE.boolean | TYPE.number;

/** Where a node stands, and what is known of that place. */
interface Spot {
  location: Location;
  property: string;
  name: string;
  pointer: string;
  label: string;
  value: JsonValue | undefined;
  required: boolean;
  readOnly: boolean;
  /** Whether the place exists for sure, so that what is required in it is required of everybody. */
  certain: boolean;
  when: Condition | undefined;
  above: readonly Location[];
}

/** The form of a schema, with values and errors put in. */
export function buildForm(context: FormContext): FormModel {
  const builder = new FormBuilder(context);
  const { root, only, language, value } = context;
  const start = only === undefined ? root : (root.wide.property(only) as Location);
  const inner = only === undefined ? value : value[only];
  const prefix = only === undefined ? '' : only;
  const nodes = builder.members(
    start,
    isObject(inner) ? inner : undefined,
    { name: prefix, pointer: only === undefined ? '' : `/${only}` },
    { certain: true, readOnly: false, above: [] },
  );
  const titled = textOf(root, 'title', language) === undefined ? start : root;
  const description = textOf(titled, 'description', language);
  return {
    title: textOf(titled, 'title', language) ?? labelOf(null, only ?? 'form', language),
    ...(description === undefined ? {} : { description }),
    language,
    nodes,
    errors: builder.unclaimed(),
  };
}

class FormBuilder {
  private readonly open: Set<FieldError>;

  constructor(private readonly context: FormContext) {
    this.open = new Set(context.errors);
  }

  unclaimed(): FieldError[] {
    return [...this.open];
  }

  members(
    location: Location,
    value: JsonObject | undefined,
    place: { name: string; pointer: string },
    around: { certain: boolean; readOnly: boolean; above: readonly Location[] },
  ): FormNode[] {
    const { wide } = location;
    const conditions = conditionsOf(location, place.name, this.context.validator);
    const nodes: FormNode[] = [];
    for (const property of propertiesInOrder(wide)) {
      const child = wide.property(property);
      if (child === null) continue;
      const required = location.required.has(property);
      const node = this.node({
        location: child.wide,
        property,
        name:
          place.name === '' ? escapeSegment(property) : `${place.name}.${escapeSegment(property)}`,
        pointer: `${place.pointer}/${pointerSegment(property)}`,
        label: labelOf(child.wide, property, this.context.language),
        value: value?.[property],
        required: required && around.certain,
        readOnly: around.readOnly || child.readOnly,
        certain: around.certain && (required || value?.[property] !== undefined),
        when: conditions.get(property),
        above: [...around.above, wide],
      });
      if (node !== null) nodes.push(node);
    }
    return nodes;
  }

  private node(spot: Spot): FormNode | null {
    const { location, value, above } = spot;
    if (above.length > this.context.depthMax) return null;
    // A schema that contains itself: as deep as the value goes, and no further.
    if (above.includes(location) && value === undefined) return null;
    if (location.isObject && (location.types & SCALARS) === 0) return this.object(spot);
    if (location.isObject && location.types === ANY_TYPE) return this.object(spot);
    if (location.isArray && !location.isObject && (location.types & SCALARS) === 0)
      return this.list(spot);
    if (location.isArray && location.types === ANY_TYPE) return this.list(spot);
    const { members } = location;
    const scalar = members?.every((each) => typeof each !== 'object' || each === null) === true;
    if (members !== null && !scalar) return this.json(spot);
    if (areBooleans(members) || (location.types & ~TYPE.null) === TYPE.boolean) {
      return { ...this.base(spot), kind: 'checkbox', checked: value === true };
    }
    if (members?.length === 1 && location.main.some(({ source }) => 'const' in source)) {
      const text = textOfMember(members[0] as JsonValue);
      return { ...this.base(spot), kind: 'input', type: 'hidden', value: text, attributes: {} };
    }
    if (members !== null) return this.choice(spot, members);
    const control = textControl(location, spot.property, value, this.context.timeZone);
    return { ...this.base(spot), ...control };
  }

  private choice(spot: Spot, members: readonly JsonValue[]): FormNode {
    const options = this.options(spot.location, members, [spot.value]);
    return {
      ...this.base(spot),
      kind: options.length > 0 && options.length <= RADIOS_MAX ? 'radios' : 'select',
      type: numeric(members) ? 'number' : 'text',
      options,
      attributes: {},
    };
  }

  private options(
    location: Location,
    members: readonly JsonValue[],
    chosen: readonly (JsonValue | undefined)[],
  ): FormOption[] {
    const texts = chosen.map((each) => (each === undefined ? '' : textOfMember(each)));
    return [...new Set(members)]
      .filter((member) => member !== null)
      .map((member) => {
        const value = textOfMember(member);
        const title = titleOfMember(location, member, this.context.language);
        return { value, label: title ?? value, selected: texts.includes(value) };
      });
  }

  private object(spot: Spot): FormNode | null {
    const { location, value, above } = spot;
    if (location.propertyNames.length === 0) return this.json(spot);
    const base = this.base(spot);
    const children = this.members(location, isObject(value) ? value : undefined, spot, {
      certain: spot.certain,
      readOnly: spot.readOnly,
      above,
    });
    return { ...base, kind: 'group', children } satisfies FormGroupNode;
  }

  private list(spot: Spot): FormNode {
    const { location } = spot;
    const item = location.item(0).wide;
    const entries = Array.isArray(spot.value) ? spot.value : [];
    if (item.members !== null && !item.isObject && !item.isArray && item.members.length > 0) {
      const options = this.options(item, item.members, entries);
      const type = numeric(item.members) ? 'number' : 'text';
      return { ...this.base(spot, true), kind: 'checkboxes', type, options, attributes: {} };
    }
    if (item.isArray && (item.types & SCALARS) === 0) return this.json(spot);
    const grouped = item.isObject && item.propertyNames.length > 0;
    const base = this.base(spot);
    const { rowsMax } = this.context;
    const least = numberOr(location.keyword('minItems'), 0);
    const most = numberOr(location.keyword('maxItems'), rowsMax);
    const asked = this.context.rows[spot.name] ?? 0;
    const first = grouped || spot.readOnly ? 0 : 1;
    const count = Math.min(Math.max(entries.length, least, asked, first), rowsMax);
    const rows: FormNode[] = [];
    for (let index = 0; index < count; index += 1) {
      const row = this.row(spot, index, entries[index]);
      if (row !== null) rows.push(row);
    }
    return { ...base, kind: grouped ? 'rows' : 'list', rows, rowsMin: least, rowsMax: most };
  }

  private row(spot: Spot, index: number, value: JsonValue | undefined): FormNode | null {
    const pointer = `${spot.pointer}/${index}`;
    return this.node({
      location: spot.location.item(index).wide,
      property: spot.property,
      name: `${spot.name}.${index}`,
      pointer,
      label: labelAt(this.context.root, pointer, this.context.language),
      value,
      required: false,
      readOnly: spot.readOnly,
      certain: value !== undefined,
      when: undefined,
      above: [...spot.above, spot.location],
    });
  }

  /** What has no control of its own is shown, and may be sent, as JSON text. */
  private json(spot: Spot): FormNode {
    const { value } = spot;
    const text =
      typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
    return {
      ...this.base(spot, true),
      kind: 'textarea',
      type: 'text',
      value: text,
      attributes: {},
    };
  }

  /** What all nodes have; `below` also claims the errors of places within this one. */
  private base(spot: Spot, below = false): Omit<FormGroupNode, 'kind' | 'children'> {
    const hint = textOf(spot.location, 'description', this.context.language);
    const errors = [...this.open].filter(
      ({ pointer }) =>
        pointer === spot.pointer || (below && pointer.startsWith(`${spot.pointer}/`)),
    );
    for (const error of errors) this.open.delete(error);
    return {
      name: spot.name,
      pointer: spot.pointer,
      label: spot.label,
      ...(hint === undefined ? {} : { hint }),
      required: spot.required,
      readOnly: spot.readOnly,
      errors,
      ...(spot.when === undefined ? {} : { when: spot.when }),
    };
  }
}

function areBooleans(members: readonly JsonValue[] | null): boolean {
  return (
    members !== null && members.length > 0 && members.every((each) => typeof each === 'boolean')
  );
}

function numeric(members: readonly JsonValue[]): boolean {
  return members.every((member) => typeof member === 'number' || member === null);
}

function textOfMember(member: JsonValue): string {
  return typeof member === 'string' ? member : JSON.stringify(member);
}

function numberOr(value: JsonValue | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
