export type JsonObject = Record<string, unknown>;

// eslint-disable-next-line no-control-regex -- these characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The number of characters (code points) of a text. */
export function lengthOf(text: string): number {
  let surrogatePairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00) {
      surrogatePairs += 1;
    }
  }
  return text.length - surrogatePairs;
}

/** False for a text with half a surrogate pair, which UTF-8 cannot carry. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

export function hasControlCharacter(text: string): boolean {
  return CONTROL.test(text);
}
