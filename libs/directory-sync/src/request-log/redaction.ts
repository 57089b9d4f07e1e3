/**
 * Removes credentials and personal values from bodies before they are kept. Attributes are redacted by
 * name, wherever the name stands: as a member, or in the path of a PATCH operation.
 */
import { isObject } from '@gatehouse/scim';

export const REDACTED = '[redacted]';

/** Values that are not needed to find out why a request failed. */
const REDACTED_NAMES = ['addresses', 'ims', 'phonenumbers', 'photos', 'x509certificates'];
/** Parts of names of credentials and of numbers that identify a person. */
const REDACTED_PARTS =
  /passw|passphrase|secret|token|credential|api_?key|private_?key|ssn|nationalid|birth|^pin$/;
const CHARACTERS_MAX = 16_384;
const DEPTH_MAX = 20;

export class Redaction {
  private readonly names: ReadonlySet<string>;

  /** @param names of further attributes, in any case */
  constructor(names: readonly string[]) {
    this.names = new Set([...REDACTED_NAMES, ...names.map((name) => name.toLowerCase())]);
  }

  /** A body as JSON text of at most 16,384 characters; null for a request without one. */
  textOf(body: unknown): string | null {
    if (body === undefined || body === null) return null;
    if (!isObject(body) && !Array.isArray(body)) return '[not a JSON object]';
    const text = JSON.stringify(this.value(body, DEPTH_MAX));
    return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}[cut]` : text;
  }

  private value(value: unknown, depth: number): unknown {
    if (depth === 0) return REDACTED;
    if (Array.isArray(value)) return value.map((item) => this.value(item, depth - 1));
    return isObject(value) ? this.members(value, depth) : value;
  }

  /** Members of a PATCH operation count in any case, as the engine reads them. */
  private members(object: Record<string, unknown>, depth: number): Record<string, unknown> {
    const entries = Object.entries(object);
    const isHidden = entries.some(
      ([name, value]) =>
        isNamed(name, 'path') && typeof value === 'string' && this.hidesPath(value),
    );
    return Object.fromEntries(
      entries.map(([name, value]) => {
        if (this.hidesPath(name) || (isHidden && isNamed(name, 'value'))) return [name, REDACTED];
        // A filter in a path compares with a value, too.
        if (isHidden && isNamed(name, 'path')) return [name, String(value).split('[', 1)[0]];
        return [name, this.value(value, depth - 1)];
      }),
    );
  }

  /** Whether a path such as `urn:…:User:ssn` or `phoneNumbers[type eq "work"].value` is redacted. */
  private hidesPath(path: string): boolean {
    return path
      .toLowerCase()
      .split(/[^\w$-]+/)
      .some((name) => this.names.has(name) || REDACTED_PARTS.test(name));
  }
}

function isNamed(name: string, lowerCase: string): boolean {
  return name.length === lowerCase.length && name.toLowerCase() === lowerCase;
}

/** A path without the part from its first to its last bracket, where a filter holds values. */
export function withoutFilters(path: string): string {
  return path.replace(/\[.*\]|\[.*$/s, '');
}
