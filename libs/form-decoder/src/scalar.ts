import type { JsonValue } from './form-decoder.types.js';
import type { Location } from './location.js';
import { ANY_TYPE, TYPE, type TypeName } from './schema-node.js';
import { dateTimeWithZone, timeWithSeconds, timeWithZone } from './time-zone.js';

/**
 * From the text of one field to a value. What does not convert stays text: validation then names
 * it, and the page can show what was typed.
 */
const SCALAR = {
  text: 0,
  boolean: 1,
  integer: 2,
  number: 3,
  /** One of `enum` or `const`, of several types. */
  member: 4,
  /** The first of a list of types that the text is one of. */
  ordered: 5,
} as const;

export interface Scalar {
  readonly kind: (typeof SCALAR)[keyof typeof SCALAR];
  /** A blank may mean null. */
  readonly nullable: boolean;
  /** Of several values the last one counts, not the first: what makes checkboxes work. */
  readonly lastWins: boolean;
  readonly format: 'date-time' | 'time' | 'iso-time' | null;
  readonly members: readonly JsonValue[];
  readonly order: readonly TypeName[];
}

const SCALARS = TYPE.string | TYPE.boolean | TYPE.number;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** How texts convert, by location: worked out once per plan. */
export class ScalarTable {
  private readonly known = new Map<Location, Scalar>();

  of(location: Location): Scalar {
    let scalar = this.known.get(location);
    if (scalar === undefined) {
      scalar = scalarOf(location);
      this.known.set(location, scalar);
    }
    return scalar;
  }
}

function scalarOf(location: Location): Scalar {
  const members = location.members ?? [];
  const kind = location.types === ANY_TYPE ? kindOfMembers(location) : kindOfTypes(location);
  const format = location.format;
  return {
    kind,
    nullable:
      location.types === ANY_TYPE
        ? members.includes(null)
        : (location.types & TYPE.null) !== 0 && location.types !== TYPE.null,
    lastWins: kind === SCALAR.boolean,
    format: format === 'date-time' || format === 'time' || format === 'iso-time' ? format : null,
    members,
    order: location.typeOrder ?? [],
  };
}

function kindOfTypes(location: Location): Scalar['kind'] {
  const types = location.types & SCALARS;
  if (types === TYPE.boolean) return SCALAR.boolean;
  if (types === TYPE.integer) return SCALAR.integer;
  if (types !== 0 && (types & ~TYPE.number) === 0) return SCALAR.number;
  return types === TYPE.string || types === 0 ? SCALAR.text : SCALAR.ordered;
}

/** Without a type, the values that are allowed say what it is, and else the default does. */
function kindOfMembers(location: Location): Scalar['kind'] {
  const fallback = location.keyword('default');
  const values = location.members ?? (fallback === undefined ? [] : [fallback]);
  if (values.length === 0 || values.every((value) => typeof value === 'string')) return SCALAR.text;
  if (values.every((value) => typeof value === 'boolean')) return SCALAR.boolean;
  if (values.every((value) => typeof value === 'number')) return SCALAR.number;
  return location.members === null ? SCALAR.text : SCALAR.member;
}

/** Whether a text counts as not filled in. Only a string may consist of blanks. */
export function isBlank(scalar: Scalar, text: string): boolean {
  return text === '' || (scalar.kind !== SCALAR.text && text.trim() === '');
}

/** The value of a text that is not blank. */
export function convertText(scalar: Scalar, text: string, timeZone: string): JsonValue {
  switch (scalar.kind) {
    case SCALAR.boolean:
      return booleanOf(text.trim()) ?? text;
    case SCALAR.integer:
      return numberOf(text.trim(), true) ?? text;
    case SCALAR.number:
      return numberOf(text.trim(), false) ?? text;
    case SCALAR.member:
      return memberOr(scalar, text, timeZone);
    case SCALAR.ordered:
      return orderedOf(scalar, text, timeZone);
    default:
      return textOf(scalar, text, timeZone);
  }
}

function memberOr(scalar: Scalar, text: string, timeZone: string): JsonValue {
  const member = memberOf(scalar.members, text);
  return member === undefined ? textOf(scalar, text, timeZone) : member;
}

function textOf(scalar: Scalar, text: string, timeZone: string): string {
  const value = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  if (scalar.format === null) return value;
  if (scalar.format === 'date-time') return dateTimeWithZone(value, timeZone);
  return scalar.format === 'time' ? timeWithZone(value, timeZone) : timeWithSeconds(value);
}

function orderedOf(scalar: Scalar, text: string, timeZone: string): JsonValue {
  for (const type of scalar.order) {
    if (type === 'string') return textOf(scalar, text, timeZone);
    const value =
      type === 'boolean'
        ? booleanOf(text.trim())
        : type === 'integer' || type === 'number'
          ? numberOf(text.trim(), type === 'integer')
          : undefined;
    if (value !== undefined) return value;
  }
  return text;
}

/** The words that Go's ParseBool knows, and the `on` of a checkbox without a value. */
export function booleanOf(text: string): boolean | undefined {
  switch (text) {
    case 'true':
    case '1':
    case 'on':
    case 't':
    case 'T':
    case 'TRUE':
    case 'True':
      return true;
    case 'false':
    case '0':
    case 'off':
    case 'f':
    case 'F':
    case 'FALSE':
    case 'False':
      return false;
    default:
      return undefined;
  }
}

/**
 * HTML number syntax, with a leading `+` and a trailing `.` allowed. Undefined for anything else, for
 * what overflows, and for whole numbers that a double cannot hold for sure (beyond 2^53 - 1).
 */
export function numberOf(text: string, integer: boolean): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  if (value === 0) return 0;
  if (integer) return Number.isSafeInteger(value) ? value : undefined;
  if (!Number.isFinite(value)) return undefined;
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER || /[eE]/.test(text) ? value : undefined;
}

/** Whether a text is a number that `numberOf` refuses only because it would lose digits. */
export function losesDigits(text: string, integer: boolean): boolean {
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed) || numberOf(trimmed, integer) !== undefined) return false;
  const value = Number(trimmed);
  return Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** The member that a text means: as it is written, or by the syntax of the member's type. */
export function memberOf(members: readonly JsonValue[], text: string): JsonValue | undefined {
  for (const member of members) {
    if (typeof member === 'object' ? member === null && text === 'null' : String(member) === text) {
      return member;
    }
  }
  const trimmed = text.trim();
  const word = booleanOf(trimmed);
  const number = numberOf(trimmed, false);
  return members.find(
    (member) =>
      (typeof member === 'boolean' && member === word) ||
      (typeof member === 'number' && member === number),
  );
}
