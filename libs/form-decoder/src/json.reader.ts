import { bareObject, hasMember } from './bare-object.js';
import { RESERVED_NAMES } from './field-names.js';
import { FormError } from './form-decoder.errors.js';
import type { JsonObject, JsonValue } from './form-decoder.types.js';
import { textOfUtf8 } from './utf8.js';

export interface JsonReadOptions {
  /** Levels of objects and lists. Default 16. */
  depthMax?: number;
  /** Scalars and members altogether. Default 10,000. */
  valuesMax?: number;
  /** Two members of one name in an object: an error (default), or the last one counts. */
  duplicates?: 'refuse' | 'last';
  /** `__proto__`, `constructor`, `prototype` as a member: an error (default), or kept as plain data. */
  reserved?: 'refuse' | 'keep';
}

// eslint-disable-next-line no-control-regex -- control characters are what a JSON string may not hold
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * One JSON document (RFC 8259) to a value whose objects are bare. `JSON.parse` cannot be used where
 * duplicate members must be seen. A byte order mark at the start is skipped.
 * Bytes must be UTF-8. Throws FormError: `json`, `json.duplicate`, `json.reserved`, `limit.depth`,
 * `encoding` (400), `limit.fields` (413).
 */
export function parseJson(source: string | Uint8Array, options: JsonReadOptions = {}): JsonValue {
  const text = typeof source === 'string' ? source : textOfUtf8(source);
  return new JsonReader(text, options).document();
}

class JsonReader {
  private position = 0;
  private values = 0;
  private readonly depthMax: number;
  private readonly valuesMax: number;

  constructor(
    private readonly text: string,
    private readonly options: JsonReadOptions,
  ) {
    this.depthMax = options.depthMax ?? 16;
    this.valuesMax = options.valuesMax ?? 10_000;
  }

  document(): JsonValue {
    if (this.text.charCodeAt(0) === 0xfeff) this.position = 1;
    const value = this.value(0);
    this.blanks();
    if (this.position < this.text.length) throw this.broken();
    return value;
  }

  private value(depth: number): JsonValue {
    this.blanks();
    this.values += 1;
    if (this.values > this.valuesMax) {
      const limit = this.valuesMax;
      throw new FormError('limit.fields', 413, `The JSON text has more than ${limit} values.`, {
        limit,
      });
    }
    switch (this.text.charCodeAt(this.position)) {
      case 0x7b:
        return this.object(depth + 1);
      case 0x5b:
        return this.list(depth + 1);
      case 0x22:
        return this.string();
      case 0x74:
        return this.word('true', true);
      case 0x66:
        return this.word('false', false);
      case 0x6e:
        return this.word('null', null);
      default:
        return Number(this.token(NUMBER));
    }
  }

  private object(depth: number): JsonObject {
    this.enter(depth);
    const object = bareObject();
    if (this.closes('}')) return object;
    do {
      this.blanks();
      const name = this.string();
      if (RESERVED_NAMES.has(name) && this.options.reserved !== 'keep') {
        throw new FormError('json.reserved', 400, `The JSON text has a member "${name}".`, {
          member: name,
        });
      }
      if (hasMember(object, name) && this.options.duplicates !== 'last') {
        throw new FormError('json.duplicate', 400, `The JSON text has "${name}" twice.`, {
          member: name,
        });
      }
      this.expect(':');
      object[name] = this.value(depth);
    } while (this.separates('}'));
    return object;
  }

  private list(depth: number): JsonValue[] {
    this.enter(depth);
    const list: JsonValue[] = [];
    if (this.closes(']')) return list;
    do list.push(this.value(depth));
    while (this.separates(']'));
    return list;
  }

  private enter(depth: number): void {
    const limit = this.depthMax;
    if (depth > limit) {
      throw new FormError('limit.depth', 400, `The JSON text is nested deeper than ${limit}.`, {
        limit,
      });
    }
    this.position += 1;
  }

  private string(): string {
    const token = this.token(STRING);
    return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
  }

  private token(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.text);
    if (match === null) throw this.broken();
    this.position += match[0].length;
    return match[0];
  }

  private word<T extends JsonValue>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.position)) throw this.broken();
    this.position += word.length;
    return value;
  }

  private closes(end: '}' | ']'): boolean {
    this.blanks();
    if (this.text[this.position] !== end) return false;
    this.position += 1;
    return true;
  }

  /** True after a comma, false after the end; anything else is an error. */
  private separates(end: '}' | ']'): boolean {
    if (this.closes(end)) return false;
    this.expect(',');
    return true;
  }

  private expect(character: string): void {
    this.blanks();
    if (this.text[this.position] !== character) throw this.broken();
    this.position += 1;
  }

  private blanks(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.position += 1;
    }
  }

  private broken(): FormError {
    const position = this.position;
    return new FormError('json', 400, `The JSON text is broken at character ${position + 1}.`, {
      position,
    });
  }
}
