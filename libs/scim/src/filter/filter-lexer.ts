import { invalidFilter } from '../errors/scim-error.js';
import { isStorableText } from '../json/json-access.js';

/** Splits a filter into tokens. Strings use the JSON escapes of RFC 7644 section 3.4.2.2. */

export type TokenKind = 'word' | 'string' | '(' | ')' | '[' | ']' | 'end';

export interface Token {
  kind: TokenKind;
  /** The word, the decoded string, or the bracket. */
  text: string;
  /** Offset in the filter, counted in UTF-16 code units. */
  offset: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The tokens of a filter; the last one is `end`. Cost is linear in the length. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  while (offset < text.length) {
    const code = text.charCodeAt(offset);
    if (isSpace(code)) {
      offset += 1;
      continue;
    }
    if (isBracket(code)) {
      const bracket = text[offset] as '(' | ')' | '[' | ']';
      tokens.push({ kind: bracket, text: bracket, offset });
      offset += 1;
      continue;
    }
    const end = code === QUOTE ? stringEnd(text, offset) : wordEnd(text, offset);
    const raw = text.slice(offset, end);
    tokens.push(
      code === QUOTE
        ? { kind: 'string', text: decode(raw, offset), offset }
        : { kind: 'word', text: raw, offset },
    );
    offset = end;
  }
  tokens.push({ kind: 'end', text: '', offset });
  return tokens;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

function isBracket(code: number): boolean {
  return code === 0x28 || code === 0x29 || code === 0x5b || code === 0x5d;
}

function stringEnd(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) {
      index += 1;
    } else if (code === QUOTE) {
      return index + 1;
    }
  }
  throw invalidFilter(`The filter has a text value at offset ${start} that is not closed.`);
}

function wordEnd(text: string, start: number): number {
  let index = start;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (isSpace(code) || isBracket(code) || code === QUOTE) {
      break;
    }
    index += 1;
  }
  return index;
}

function decode(literal: string, offset: number): string {
  let value: string;
  try {
    value = JSON.parse(literal) as string;
  } catch {
    throw invalidFilter(`The filter has a text value at offset ${offset} with a wrong escape.`);
  }
  if (!isStorableText(value)) {
    throw invalidFilter(
      `The filter has a text value at offset ${offset} with a character that no value can have.`,
    );
  }
  return value;
}
