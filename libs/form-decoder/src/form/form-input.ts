import { type InputType, type JsonValue } from '../model/form-decoder.types.js';
import { type Location } from '../schema/location.js';
import { ANY_TYPE, TYPE } from '../schema/schema-node.js';
import { isSecret } from './secrets.js';
import { localDateTime, localTime } from '../read/time-zone.js';

/** The HTML control of one text and its attributes. */

const TYPES_BY_FORMAT: Readonly<Record<string, InputType>> = {
  email: 'email',
  'idn-email': 'email',
  uri: 'url',
  url: 'url',
  iri: 'url',
  tel: 'tel',
  date: 'date',
  'date-time': 'datetime-local',
  time: 'time',
  'iso-time': 'time',
};

/** HTML standard, "Autofill", by common property names. */
const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  birthdate: 'bday',
  birthday: 'bday',
  city: 'address-level2',
  company: 'organization',
  familyname: 'family-name',
  cellphone: 'tel',
  firstname: 'given-name',
  fullname: 'name',
  givenname: 'given-name',
  lastname: 'family-name',
  mobile: 'tel',
  name: 'name',
  organization: 'organization',
  password: 'new-password',
  phone: 'tel',
  phonenumber: 'tel',
  postalcode: 'postal-code',
  postcode: 'postal-code',
  street: 'street-address',
  username: 'username',
  zip: 'postal-code',
};

/** Texts that may be longer get a textarea. */
const LINE_LENGTH = 120;

type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface TextControl {
  kind: 'input' | 'textarea';
  type: InputType;
  value: string;
  attributes: Attributes;
}

/** The properties of a control that do not depend on its value. */
export interface ControlFacts {
  readonly type: InputType;
  readonly isLong: boolean;
  readonly attributes: Readonly<Record<TextControl['kind'], Attributes>>;
}

export function controlFacts(location: Location, property: string): ControlFacts {
  const type = inputType(location, property);
  const maxLength = location.keyword('maxLength');
  return {
    type,
    isLong: typeof maxLength === 'number' && maxLength > LINE_LENGTH,
    attributes: {
      input: Object.freeze(attributesOf(location, property, type, 'input')),
      textarea: Object.freeze(attributesOf(location, property, type, 'textarea')),
    },
  };
}

export function textControl(
  facts: ControlFacts,
  value: JsonValue | undefined,
  timeZone: string,
  secret: boolean,
): TextControl {
  const { isLong, attributes } = facts;
  const natural = secret ? 'password' : facts.type;
  const shown = natural === 'password' ? '' : shownText(natural, value, timeZone);
  // A number or date control cannot show an invalid text and would lose what was typed.
  const type = canShow(natural, shown) ? natural : 'text';
  // An input would join the lines of a multi-line text.
  const lines = isLong || shown.includes('\n');
  const kind = type === 'text' && natural === 'text' && lines ? 'textarea' : 'input';
  return { kind, type, value: shown, attributes: attributes[kind] };
}

function inputType(location: Location, property: string): InputType {
  if (isSecret(location, property)) return 'password';
  const types = location.types & ~TYPE.null;
  if (types !== 0 && (types & ~TYPE.number) === 0) return 'number';
  if (location.types !== ANY_TYPE && (types & TYPE.string) === 0) return 'text';
  const byFormat = TYPES_BY_FORMAT[location.format ?? ''];
  if (byFormat !== undefined || location.format !== undefined) return byFormat ?? 'text';
  return impliedBy(property) === 'tel' ? 'tel' : 'text';
}

function shownText(type: InputType, value: JsonValue | undefined, timeZone: string): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (type === 'datetime-local') return localDateTime(text, timeZone);
  return type === 'time' ? localTime(text, timeZone) : text;
}

function canShow(type: InputType, text: string): boolean {
  if (text === '') return true;
  switch (type) {
    case 'number':
      return /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text);
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(text);
    case 'datetime-local':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(text);
    case 'time':
      return /^\d\d:\d\d(?::\d\d)?$/.test(text);
    default:
      return true;
  }
}

function attributesOf(
  location: Location,
  property: string,
  type: InputType,
  kind: 'input' | 'textarea',
): Attributes {
  const attributes: Record<string, string | number | boolean> = {};
  if (type === 'number') {
    addNumberRange(attributes, location);
  } else if (type !== 'date' && type !== 'datetime-local' && type !== 'time') {
    copyNumber(attributes, 'minlength', location.keyword('minLength'));
    const maxLength = location.keyword('maxLength');
    // HTML counts UTF-16 code units, of which a character has up to two.
    if (typeof maxLength === 'number') attributes['maxlength'] = 2 * maxLength;
    const pattern = kind === 'input' ? htmlPattern(location.keyword('pattern')) : undefined;
    if (pattern !== undefined) attributes['pattern'] = pattern;
  }
  const autocomplete = autocompleteOf(location, property, type);
  if (autocomplete !== undefined) attributes['autocomplete'] = autocomplete;
  return attributes;
}

function addNumberRange(
  attributes: Record<string, string | number | boolean>,
  location: Location,
): void {
  const integer = (location.types & TYPE.number) === TYPE.integer;
  const above = location.keyword('exclusiveMinimum');
  const below = location.keyword('exclusiveMaximum');
  // HTML counts whole numbers from `min`, so that has to be one.
  const whole = (limit: JsonValue | undefined, round: (limit: number) => number) =>
    typeof limit === 'number' && integer ? round(limit) : limit;
  const min =
    whole(location.keyword('minimum'), Math.ceil) ?? whole(above, (limit) => Math.floor(limit) + 1);
  const max =
    whole(location.keyword('maximum'), Math.floor) ?? whole(below, (limit) => Math.ceil(limit) - 1);
  copyNumber(attributes, 'min', min);
  copyNumber(attributes, 'max', max);
  const base = location.keyword('multipleOf');
  // HTML counts steps from `min`, JSON Schema from zero.
  const counts = typeof base === 'number' && (min === undefined || Number(min) % base === 0);
  const step = integer && typeof base !== 'number' ? 1 : 'any';
  attributes['step'] = counts ? base : step;
}

function copyNumber(
  attributes: Record<string, string | number | boolean>,
  name: string,
  value: JsonValue | undefined,
): void {
  if (typeof value === 'number') attributes[name] = value;
}

/**
 * The `pattern` attribute matches the whole value and is JavaScript with the `v` flag; a schema's
 * pattern is RE2 and matches anywhere. A pattern that is invalid in JavaScript is checked only on
 * the server.
 */
function htmlPattern(pattern: JsonValue | undefined): string | undefined {
  if (typeof pattern !== 'string') return undefined;
  const whole = /^\^[^|]*[^\\|]\$$/.test(pattern);
  const html = whole ? pattern.slice(1, -1) : `.*(?:${pattern}).*`;
  try {
    new RegExp(`^(?:${html})$`, 'v');
    return html;
  } catch {
    return undefined;
  }
}

function autocompleteOf(location: Location, property: string, type: InputType): string | undefined {
  const own = location.keyword('x-autocomplete');
  if (typeof own === 'string') return own;
  if (type === 'email' || type === 'tel' || type === 'url') return type;
  return impliedBy(property);
}

/** The kind of answer that the name of a property implies. */
function impliedBy(property: string): string | undefined {
  const key = property.toLowerCase().replace(/[^a-z]/g, '');
  return Object.hasOwn(AUTOCOMPLETE, key) ? AUTOCOMPLETE[key] : undefined;
}
