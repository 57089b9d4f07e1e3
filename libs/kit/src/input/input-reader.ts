/**
 * Reads a JSON object or a query field by field. Faults are collected, so that one 400 names all
 * of them:
 *
 * ```ts
 * const body = InputReader.of(json);
 * const input = { name: body.text('name', { min: 1 }), ttlSeconds: body.duration('ttl') };
 * body.throwIfInvalid();
 * ```
 *
 * Until `throwIfInvalid` returns, a value that was read may be a fallback for one at fault.
 */
import { type FieldViolation } from '../errors/domain-error.js';
import { camelCaseOf } from './camel-case.js';
import { DurationError, parseDuration } from './duration.js';
import { invalidInput, type ViolationMessage } from './invalid-input.js';
import {
  hasControlCharacter,
  isObject,
  isWellFormed,
  type JsonObject,
  lengthOf,
} from './json-text.js';
import { nearestName } from './nearest-name.js';

export interface InputOptions {
  /** `camelCase-too`: `rate_limit` may be sent as `rateLimit`, an enum as its number, as ProtoJSON allows. */
  readonly naming?: 'snake_case' | 'camelCase-too';
  /** `refuse`: a member that no read asked for is a fault, which names the nearest known field. */
  readonly unknown?: 'ignore' | 'refuse';
  /** `refuse`: null is a fault, except for the fields that `nullable` names. */
  readonly nulls?: 'absent' | 'refuse';
  /** The message of the error; all violations as `field: description` by default. */
  readonly message?: ViolationMessage;
}

export interface Range {
  readonly min?: number;
  readonly max?: number;
}

const TEXT_CHARACTERS_MAX = 255;
const UNKNOWN_FIELDS_MAX = 16;

export class InputReader {
  /** The names asked for; kept only where unknown members are refused. */
  private readonly known: Set<string> | undefined;
  private readonly nullables = new Set<string>();
  private readonly children: InputReader[] = [];

  private constructor(
    private readonly members: JsonObject,
    private readonly path: string,
    private readonly options: InputOptions,
    private readonly violations: FieldViolation[],
    private readonly isQuery: boolean,
  ) {
    this.known = options.unknown === 'refuse' ? new Set() : undefined;
  }

  /**
   * @param json a parsed body; undefined counts as an empty object, and null too unless it is refused
   * @param path of the object within the request, such as `requests[2]`
   * @throws DomainError `invalid_argument` when it is no object
   */
  static of(json: unknown, options: InputOptions = {}, path = ''): InputReader {
    const members = json ?? (json === null && options.nulls === 'refuse' ? null : {});
    if (!isObject(members)) {
      throw invalidInput([{ field: path || 'body', description: MUST_BE_OBJECT }], options.message);
    }
    return new InputReader(members, path && `${path}.`, options, [], false);
  }

  /** Reads query parameters: numbers and booleans come as text, and repeating one is a fault. */
  static ofQuery(query: object, options: InputOptions = {}): InputReader {
    return new InputReader(query as JsonObject, '', options, [], true);
  }

  /** The value of a field, undefined when it is absent or null. */
  raw(name: string): unknown {
    const value = own(this.members, this.spelling(name));
    if (this.isQuery && Array.isArray(value)) {
      return this.addViolation(name, 'must be given only once', undefined);
    }
    return value ?? undefined;
  }

  /** Accepts fields without reading them. */
  allow(names: readonly string[]): void {
    names.forEach((name) => this.known?.add(name));
  }

  /** Declares the fields of which null is a value, as in the API description: it resets them. */
  nullable(names: readonly string[]): void {
    names.forEach((name) => this.nullables.add(name));
  }

  /** Whether the field was sent, even as null. A program may pass undefined for one that it leaves out. */
  isPresent(name: string): boolean {
    return own(this.members, this.spelling(name)) !== undefined;
  }

  /** Any string, undefined when unset. */
  string(name: string): string | undefined {
    const value = this.raw(name);
    return value === undefined || typeof value === 'string'
      ? value
      : this.addViolation(name, 'must be a string', undefined);
  }

  /** A string without control characters, '' when unset. Lengths are in characters. */
  text(name: string, { min = 0, max = TEXT_CHARACTERS_MAX }: Range = {}): string {
    const value = this.string(name) ?? '';
    const length = lengthOf(value);
    if (length < min) {
      return this.hasFault(name) ? '' : this.addViolation(name, tooShort(min), '');
    }
    if (length > max) {
      return this.addViolation(name, `must not exceed ${max} characters`, '');
    }
    if (hasControlCharacter(value) || !isWellFormed(value)) {
      return this.addViolation(name, 'must not contain control characters', '');
    }
    return value;
  }

  /** As `text`, but undefined when unset; an empty value is a fault. */
  optionalText(name: string, { max }: Pick<Range, 'max'> = {}): string | undefined {
    return this.raw(name) === undefined ? undefined : this.text(name, { min: 1, max }) || undefined;
  }

  /** As `text`, but unset and empty values are the fault `is required`. */
  requiredText(name: string, { max }: Pick<Range, 'max'> = {}): string {
    const value = this.text(name, { max });
    return value === '' && !this.hasFault(name)
      ? this.addViolation(name, 'is required', '')
      : value;
  }

  /** True or false, undefined when unset. */
  boolean(name: string): boolean | undefined {
    const value = this.raw(name);
    if (this.isQuery && (value === 'true' || value === 'false')) {
      return value === 'true';
    }
    return value === undefined || typeof value === 'boolean'
      ? value
      : this.addViolation(name, 'must be true or false', undefined);
  }

  /** A whole number, undefined when unset. A query sends it in decimal digits. */
  integer(
    name: string,
    { min = 0, max = Number.MAX_SAFE_INTEGER }: Range = {},
  ): number | undefined {
    const value = this.raw(name);
    if (value === undefined || (this.isQuery && value === '')) {
      return undefined;
    }
    const isText = this.isQuery && typeof value === 'string' && /^[+-]?\d+$/.test(value);
    const number = isText ? Number(value) : value;
    if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) {
      return number;
    }
    return this.addViolation(name, `must be a whole number${rangeText(min, max)}`, undefined);
  }

  /** Whole seconds of a duration text such as `24h`; undefined when unset. Not clamped. */
  duration(name: string, { max = Infinity }: Pick<Range, 'max'> = {}): number | undefined {
    const value = this.raw(name);
    if (value === undefined || (this.isQuery && value === '')) return undefined;
    if (typeof value !== 'string') {
      return this.addViolation(name, 'must be a duration such as "24h", as a string', undefined);
    }
    try {
      const seconds = parseDuration(value);
      return seconds > max
        ? this.addViolation(name, `must be at most ${max}s`, undefined)
        : seconds;
    } catch (error) {
      if (!(error instanceof DurationError)) throw error;
      return this.addViolation(name, error.message, undefined);
    }
  }

  /** An array within the given length, empty when unset. */
  list(name: string, { min = 0, max = Infinity }: Range = {}): unknown[] {
    const value = this.raw(name) ?? [];
    if (!Array.isArray(value)) {
      return this.addViolation(name, 'must be an array', []);
    }
    if (value.length >= min && value.length <= max) {
      return value;
    }
    const wanted = min === 0 ? `at most ${max}` : `${min} to ${max}`;
    return this.addViolation(name, `must have ${wanted} entries`, []);
  }

  /** A JSON object as it came, undefined when unset. */
  object(name: string): JsonObject | undefined {
    const value = this.raw(name);
    return value === undefined || isObject(value)
      ? value
      : this.addViolation(name, MUST_BE_OBJECT, undefined);
  }

  /** A reader of a nested object, which shares the list of faults; undefined when unset. */
  child(name: string): InputReader | undefined {
    const value = this.object(name);
    return value === undefined ? undefined : this.readerOf(value, `${this.path}${name}.`);
  }

  /** Readers of an array of objects, as `child`; empty when unset. */
  childList(name: string, range: Range = {}): InputReader[] {
    return this.list(name, range).flatMap((value, index) => {
      const item = `${name}[${index}]`;
      if (isObject(value)) return [this.readerOf(value, `${this.path}${item}.`)];
      return this.addViolation(item, MUST_BE_OBJECT, []);
    });
  }

  /** An enum value by name, in ProtoJSON also by number; the first when unset. */
  enumeration<Name extends string>(name: string, names: readonly Name[]): Name {
    const first = names[0] as Name;
    const value = this.raw(name);
    if (value === undefined) return first;
    const isNumber = typeof value === 'number' && this.options.naming === 'camelCase-too';
    const found = isNumber ? names[value] : names.find((candidate) => candidate === value);
    return found ?? this.addViolation(name, `must be one of ${names.join(', ')}`, first);
  }

  /** One of a set of strings, undefined when unset. */
  oneOf<Name extends string>(name: string, names: readonly Name[]): Name | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const found = names.find((candidate) => candidate === value);
    return found ?? this.addViolation(name, `must be one of ${names.join(', ')}`, undefined);
  }

  /** Adds a fault of a field and returns the value to continue with. */
  addViolation<T>(name: string, description: string, fallback: T): T {
    this.violations.push({ field: this.path + name, description });
    return fallback;
  }

  /**
   * Throws one error with every fault found by this reader, its parent or its children.
   *
   * @throws DomainError `invalid_argument`
   */
  throwIfInvalid(): void {
    this.checkMembers();
    if (this.violations.length > 0) {
      throw invalidInput(this.violations, this.options.message);
    }
  }

  private readerOf(members: JsonObject, path: string): InputReader {
    const reader = new InputReader(members, path, this.options, this.violations, false);
    this.children.push(reader);
    return reader;
  }

  private hasFault(name: string): boolean {
    return this.violations.some(({ field }) => field === this.path + name);
  }

  /** The name under which the field was sent, snake_case first. */
  private spelling(name: string): string {
    this.known?.add(name);
    if (this.options.naming !== 'camelCase-too' || (own(this.members, name) ?? null) !== null) {
      return name;
    }
    const camelCase = camelCaseOf(name);
    return Object.hasOwn(this.members, camelCase) ? camelCase : name;
  }

  private checkMembers(): void {
    this.children.forEach((child) => child.checkMembers());
    this.addUnknownMembers();
    if (this.options.nulls === 'refuse') this.addNulls();
  }

  private addNulls(): void {
    for (const [name, value] of Object.entries(this.members)) {
      if (value !== null || this.nullables.has(name) || this.hasFault(name)) continue;
      this.addViolation(name, 'must not be null', undefined);
    }
  }

  private addUnknownMembers(): void {
    const { known } = this;
    if (known === undefined) return;
    const isCamelCase = (name: string) =>
      this.options.naming === 'camelCase-too' &&
      [...known].some((each) => camelCaseOf(each) === name && !Object.hasOwn(this.members, each));
    const names = Object.keys(this.members);
    const unknown = names.filter((name) => !known.has(name) && !isCamelCase(name));
    const what = this.isQuery ? 'parameter' : 'field';
    for (const name of unknown.slice(0, UNKNOWN_FIELDS_MAX)) {
      const nearest = nearestName(name, known);
      const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
      this.addViolation(name.slice(0, 64), `is not a known ${what}${hint}`, undefined);
    }
  }
}

const MUST_BE_OBJECT = 'must be a JSON object';

function rangeText(min: number, max: number): string {
  if (min === -Infinity) return '';
  return max >= Number.MAX_SAFE_INTEGER ? ` of at least ${min}` : ` from ${min} to ${max}`;
}

function tooShort(min: number): string {
  return min === 1 ? 'must not be empty' : `must have at least ${min} characters`;
}

function own(members: JsonObject, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
