import { type JsonValue } from '../model/form-decoder.types.js';
import { type RawEntry } from './raw-node.js';
import { type Location } from '../schema/location.js';
import { booleanOf, memberOf, numberOf } from '../read/scalar-text.js';
import { ANY_TYPE, SCALARS, TYPE, type TypeName } from '../schema/schema-node.js';
import { dateTimeWithZone, timeWithSeconds, timeWithZone } from '../read/time-zone.js';

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
  /** The text `null` is the member null of an enum, as any other member is its text. */
  readonly takesNull: boolean;
  /** The text is JSON, because an object or a list is allowed here. */
  readonly isJson: boolean;
  /** A number must not lose digits, because those decide whether it is a multiple. */
  readonly isExact: boolean;
  /** The last of several values counts, not the first, as checkboxes need. */
  readonly lastWins: boolean;
  /** White space around a text does not count. */
  readonly isTrimmed: boolean;
  readonly format: 'date-time' | 'time' | 'iso-time' | null;
  readonly members: readonly JsonValue[];
  readonly order: readonly TypeName[];
}

/** The conversion of each location, computed once per plan. */
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
  const kind = kindOf(location);
  const format = location.format;
  return {
    kind,
    nullable:
      location.types === ANY_TYPE
        ? members.includes(null)
        : (location.types & TYPE.null) !== 0 &&
          location.types !== TYPE.null &&
          location.membersTakeNull,
    takesNull: members.includes(null) && !members.includes('null'),
    isJson: location.takesJsonText,
    isExact: location.isExact,
    lastWins: kind === SCALAR.boolean,
    isTrimmed: location.isTrimmed,
    format: format === 'date-time' || format === 'time' || format === 'iso-time' ? format : null,
    members,
    order: location.typeOrder ?? [],
  };
}

/** Of several types, the allowed values decide. */
function kindOf(location: Location): Scalar['kind'] {
  if (location.types === ANY_TYPE) return kindOfMembers(location);
  const kind = kindOfTypes(location);
  return kind === SCALAR.ordered && location.members !== null ? SCALAR.member : kind;
}

function kindOfTypes(location: Location): Scalar['kind'] {
  const types = location.types & SCALARS;
  if (types === TYPE.boolean) return SCALAR.boolean;
  if (types === TYPE.integer) return SCALAR.integer;
  if (types !== 0 && (types & ~TYPE.number) === 0) return SCALAR.number;
  return types === TYPE.string || types === 0 ? SCALAR.text : SCALAR.ordered;
}

/** Without a type, the allowed values decide, otherwise the default. */
function kindOfMembers(location: Location): Scalar['kind'] {
  const fallback = location.keyword('default');
  const values = location.members ?? (fallback === undefined ? [] : [fallback]);
  if (values.length === 0 || values.every((value) => typeof value === 'string')) return SCALAR.text;
  if (values.every((value) => typeof value === 'boolean')) return SCALAR.boolean;
  if (values.every((value) => typeof value === 'number')) return SCALAR.number;
  return location.members === null ? SCALAR.text : SCALAR.member;
}

/** Picks the first text that is not blank; for checkboxes the last one. */
export function pickText(scalar: Scalar, entries: readonly RawEntry[]): string | undefined {
  let picked: string | undefined;
  for (const [, value] of entries) {
    picked = filledText(scalar, value) ?? picked;
    if (picked !== undefined && !scalar.lastWins) break;
  }
  return picked;
}

/** A text that is filled in. Only a string may consist of blanks; undefined for anything else. */
export function filledText(scalar: Scalar, value: RawEntry[1]): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const takesBlanks = scalar.kind === SCALAR.text && !scalar.isJson && !scalar.isTrimmed;
  return takesBlanks || value.trim() !== '' ? value : undefined;
}

/** The value of a text that is not blank. */
export function convertText(scalar: Scalar, text: string, timeZone: string): JsonValue {
  if (scalar.takesNull && text.trim() === 'null') return null;
  switch (scalar.kind) {
    case SCALAR.boolean:
      return booleanOf(text.trim()) ?? text;
    case SCALAR.integer:
      return numberOf(text.trim(), true) ?? text;
    case SCALAR.number:
      return numberOf(text.trim(), false, scalar.isExact) ?? text;
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
  const value = normalText(scalar, text);
  if (scalar.format === null) return value;
  if (scalar.format === 'date-time') return dateTimeWithZone(value, timeZone);
  return scalar.format === 'time' ? timeWithZone(value, timeZone) : timeWithSeconds(value);
}

function normalText({ isTrimmed }: Scalar, text: string): string {
  if (isTrimmed) return text.trim();
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}

function orderedOf(scalar: Scalar, text: string, timeZone: string): JsonValue {
  for (const type of scalar.order) {
    if (type === 'string') return textOf(scalar, text, timeZone);
    const value =
      type === 'boolean'
        ? booleanOf(text.trim())
        : type === 'integer' || type === 'number'
          ? numberOf(text.trim(), type === 'integer', scalar.isExact)
          : undefined;
    if (value !== undefined) return value;
  }
  return text;
}
