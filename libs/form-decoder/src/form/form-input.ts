import { type InputType, type JsonValue } from '../model/form-decoder.types.js';
import { type Location } from '../schema/location.js';
import { flatten } from '../schema/location-facts.js';
import { ANY_TYPE, TYPE, type SchemaNode } from '../schema/schema-node.js';
import { isMultipleOf } from '../read/scalar-text.js';
import { isSecret } from './secrets.js';
import { localDateTime, localTime } from '../read/time-zone.js';
import { FORMATS } from '../validate/formats.js';

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

/** @param typed the text that the person typed, which is shown as it is */
export function textControl(
  facts: ControlFacts,
  value: JsonValue | undefined,
  timeZone: string,
  secret: boolean,
  typed?: string,
): TextControl {
  const { isLong, attributes } = facts;
  const natural = secret ? 'password' : facts.type;
  const shown = natural === 'password' ? '' : (typed ?? shownText(natural, value, timeZone));
  // A number or date control cannot show an invalid text and would lose what was typed.
  const type = canShow(natural, shown, attributes.input['step']) ? natural : 'text';
  // An input would join the lines of a multi-line text, and a dot of its pattern matches none.
  const lines = isLong || /[\n\r\u2028\u2029]/.test(shown);
  const kind = type === 'text' && natural === 'text' && lines ? 'textarea' : 'input';
  return { kind, type, value: shown, attributes: attributes[kind] };
}

function inputType(location: Location, property: string): InputType {
  if (isSecret(location, property)) return 'password';
  const types = location.types & ~TYPE.null;
  if (types !== 0 && (types & ~TYPE.number) === 0) return 'number';
  if (location.types !== ANY_TYPE && (types & TYPE.string) === 0) return 'text';
  const format = certain(location, 'format');
  if (typeof format === 'string') return TYPES_BY_FORMAT[format] ?? 'text';
  return impliedBy(property) === 'tel' ? 'tel' : 'text';
}

function shownText(type: InputType, value: JsonValue | undefined, timeZone: string): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (type === 'datetime-local') return localDateTime(text, timeZone);
  return type === 'time' ? localTime(text, timeZone) : text;
}

const ATOM = "[\\w.!#$%&'*+/=?^`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** HTML standard, "valid email address", which has neither quotes nor other letters. */
const HTML_EMAIL = new RegExp(`^${ATOM}@${LABEL}(?:\\.${LABEL})*$`);

/** Whether a control of a type can hold a text and, if the schema accepts the text, does too. */
function canShow(type: InputType, text: string, step: Attributes[string] | undefined): boolean {
  if (text === '') return true;
  switch (type) {
    case 'number':
      // Without a minimum, HTML counts steps from the value that is shown.
      return (
        /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) &&
        Number.isFinite(Number(text)) &&
        (typeof step !== 'number' || isMultipleOf(Number(text), step))
      );
    case 'email':
      return HTML_EMAIL.test(text) || FORMATS['email']?.(text) === false;
    case 'url':
      return URL.canParse(text) || FORMATS['iri']?.(text) === false;
    case 'date':
      return /^(?!0000)\d{4}-\d\d-\d\d$/.test(text);
    case 'datetime-local':
      return /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(text);
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
  } else if (type === 'datetime-local' || type === 'time') {
    // The default of HTML is a minute.
    attributes['step'] = 'any';
  } else if (type !== 'date' && (location.types & ~TYPE.null) === TYPE.string) {
    addTextRules(attributes, location, kind);
  }
  const autocomplete = autocompleteOf(location, property, type);
  if (autocomplete !== undefined) attributes['autocomplete'] = autocomplete;
  return attributes;
}

/** Rules for texts say nothing about numbers and other values that a place may also take. */
function addTextRules(
  attributes: Record<string, string | number | boolean>,
  location: Location,
  kind: 'input' | 'textarea',
): void {
  copyNumber(attributes, 'minlength', certain(location, 'minLength'));
  const maxLength = certain(location, 'maxLength');
  // HTML counts UTF-16 code units, of which a character has up to two.
  if (typeof maxLength === 'number') attributes['maxlength'] = 2 * maxLength;
  const pattern = kind === 'input' ? htmlPattern(certain(location, 'pattern')) : undefined;
  if (pattern !== undefined) attributes['pattern'] = pattern;
}

/** The value of a keyword that holds whichever alternative of a place applies. */
function certain({ main, alt, unions }: Location, keyword: string): JsonValue | undefined {
  const saidBy = (nodes: readonly SchemaNode[]): JsonValue | undefined =>
    nodes.find(({ source }) => source[keyword] !== undefined)?.source[keyword];
  const own = saidBy(main);
  if (own !== undefined) return own;
  // A property that only alternatives of its object declare.
  const choices = main.length === 0 ? [alt] : unions.map(({ branches }) => branches);
  for (const branches of choices) {
    const texts = branches.filter(({ types }) => types?.join() !== 'null');
    const said = new Set(texts.map((branch) => saidBy(flatten([branch]))));
    const [agreed] = said;
    if (said.size === 1 && agreed !== undefined) return agreed;
  }
  return undefined;
}

function addNumberRange(
  attributes: Record<string, string | number | boolean>,
  location: Location,
): void {
  const integer = (location.types & TYPE.number) === TYPE.integer;
  const above = certain(location, 'exclusiveMinimum');
  const below = certain(location, 'exclusiveMaximum');
  // HTML counts whole numbers from `min`, so that has to be one.
  const whole = (limit: JsonValue | undefined, round: (limit: number) => number) =>
    typeof limit === 'number' && integer ? round(limit) : limit;
  const min =
    whole(certain(location, 'minimum'), Math.ceil) ??
    whole(above, (limit) => Math.floor(limit) + 1);
  const max =
    whole(certain(location, 'maximum'), Math.floor) ??
    whole(below, (limit) => Math.ceil(limit) - 1);
  copyNumber(attributes, 'min', min);
  copyNumber(attributes, 'max', max);
  const base = certain(location, 'multipleOf');
  // HTML counts steps from `min`, JSON Schema from zero.
  const counts = typeof base === 'number' && (min === undefined || isMultipleOf(Number(min), base));
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

/** In a class of JavaScript these are operators; in one of RE2 they are characters. */
const CLASS_OPERATORS = /\[(?:\\.|[^\]\\])*?(?:\[|&&|--)/s;
/** White space of RE2; that of JavaScript has more. */
const SPACES: Readonly<Record<string, string>> = {
  '\\s': '[\\t\\n\\f\\r ]',
  '\\S': '[^\\t\\n\\f\\r ]',
};

/**
 * The `pattern` attribute matches the whole value and is JavaScript with the `v` flag; a schema's
 * pattern is RE2 and matches anywhere. A pattern that is invalid in JavaScript, or means something
 * else there, is checked only on the server.
 */
function htmlPattern(pattern: JsonValue | undefined): string | undefined {
  if (typeof pattern !== 'string' || CLASS_OPERATORS.test(pattern)) return undefined;
  const whole = /^\^[^|]*[^\\|]\$$/.test(pattern);
  const shared = pattern.replace(/\\./gs, (escape) => SPACES[escape] ?? escape);
  const html = whole ? shared.slice(1, -1) : `.*(?:${shared}).*`;
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
