// Reads a JSON request body field by field. Names come in snake_case or lowerCamelCase, null is
// unset, unknown fields are ignored (ProtoJSON). Faults are gathered, so that one answer names all
// of them.
import { DomainError, type FieldViolation } from '@gatehouse/service-kit';

export type JsonObject = Record<string, unknown>;

// eslint-disable-next-line no-control-regex -- these characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

export class BodyReader {
  private constructor(
    private readonly body: JsonObject,
    private readonly path: string,
    private readonly violations: FieldViolation[],
  ) {}

  /** Throws a 400 when the body is no JSON object. No body at all is an empty object. */
  static of(body: unknown, path = ''): BodyReader {
    const fields = body ?? {};
    if (!isObject(fields))
      throw invalidArgument([violation(path || 'body', 'must be a JSON object')]);
    return new BodyReader(fields, path && `${path}.`, []);
  }

  /** The value of a field, undefined when it is absent or null. */
  raw(name: string): unknown {
    const value = own(this.body, name) ?? own(this.body, camelCaseOf(name));
    return value ?? undefined;
  }

  /** True when the field was sent, even as null. */
  isPresent(name: string): boolean {
    return Object.hasOwn(this.body, name) || Object.hasOwn(this.body, camelCaseOf(name));
  }

  /** A text without control characters, '' when unset. Lengths are in characters. */
  text(name: string, { min = 0, max = 255 }: { min?: number; max?: number } = {}): string {
    const value = this.raw(name) ?? '';
    if (typeof value !== 'string') return this.refuse(name, 'must be a string', '');
    const length = lengthOf(value);
    if (length < min) return this.refuse(name, 'must not be empty', '');
    if (length > max) return this.refuse(name, `must have at most ${max} characters`, '');
    if (CONTROL.test(value) || !isWellFormed(value)) {
      return this.refuse(name, 'must not hold control characters', '');
    }
    return value;
  }

  /** An array with so many entries; an empty one when it is unset and may be. */
  list(name: string, { min = 0, max = Infinity }: { min?: number; max?: number } = {}): unknown[] {
    const value = this.raw(name) ?? [];
    if (!Array.isArray(value)) return this.refuse(name, 'must be an array', []);
    if (value.length >= min && value.length <= max) return value;
    const wanted = min === 0 ? `at most ${max}` : `${min} to ${max}`;
    return this.refuse(name, `must have ${wanted} entries`, []);
  }

  /** A reader of a nested object that shares the list of faults; undefined when it is unset. */
  child(name: string): BodyReader | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (!isObject(value)) return this.refuse(name, 'must be an object', undefined);
    return new BodyReader(value, `${this.path}${name}.`, this.violations);
  }

  /** An enum as its name or its number; the first of `names` when unset. */
  enumeration<Name extends string>(name: string, names: readonly Name[]): Name {
    const first = names[0] as Name;
    const value = this.raw(name);
    if (value === undefined) return first;
    const found =
      typeof value === 'number' ? names[value] : names.find((candidate) => candidate === value);
    return found ?? this.refuse(name, `must be one of ${names.join(', ')}`, first);
  }

  /** Notes a fault of a field and returns the value to go on with. */
  refuse<T>(name: string, description: string, fallback: T): T {
    this.violations.push(violation(this.path + name, description));
    return fallback;
  }

  /** Throws a 400 that names every fault noted so far by any reader of this body. */
  finish(): void {
    if (this.violations.length > 0) throw invalidArgument(this.violations);
  }
}

/** A 400 that names the fields. */
export function invalidArgument(violations: readonly FieldViolation[]): DomainError {
  const [first] = violations;
  const message = first ? `${first.field} ${first.description}` : 'The request is not valid.';
  return new DomainError('invalid_argument', 'INVALID_ARGUMENT', message, { violations });
}

export function violation(field: string, description: string): FieldViolation {
  return { field, description };
}

/** The number of characters (code points) of a text. */
export function lengthOf(text: string): number {
  let surrogatePairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00) surrogatePairs += 1;
  }
  return text.length - surrogatePairs;
}

/** False for a text with half a surrogate pair, which no UTF-8 can carry. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

export function hasControlCharacter(text: string): boolean {
  return CONTROL.test(text);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const camelCaseNames = new Map<string, string>();

/** `rate_limit_policy` as `rateLimitPolicy`; remembered, because the names are few. */
export function camelCaseOf(name: string): string {
  let camel = camelCaseNames.get(name);
  if (camel === undefined) {
    camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    camelCaseNames.set(name, camel);
  }
  return camel;
}

function own(body: JsonObject, name: string): unknown {
  return Object.hasOwn(body, name) ? body[name] : undefined;
}
