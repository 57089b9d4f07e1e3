import { RE2JS } from 're2js';

/**
 * Patterns of a schema use RE2 syntax and run in linear time, so schemas from untrusted authors are
 * safe. Two limits keep a match short: the size of a compiled pattern, and size times text length.
 */

/** Instructions of one compiled pattern. */
const PATTERN_SIZE_MAX = 1000;
/** Instructions of all patterns of one schema. */
export const PATTERNS_SIZE_MAX = 20_000;
const WORK_MAX = 10_000_000;

export interface Pattern {
  readonly size: number;
  /** Unanchored. Also false if the text is too long for a pattern of this size. */
  test(text: string): boolean;
  /** The source; the validator uses it as the key of a pattern. */
  toString(): string;
}

/** Throws an Error with RE2's message if the pattern is invalid or too large. */
export function compilePattern(source: string): Pattern {
  const compiled = compiledBy(source);
  const size = compiled.programSize();
  if (size > PATTERN_SIZE_MAX) throw new Error(`the pattern is too large (${size} instructions)`);
  const lengthMax = Math.floor(WORK_MAX / size);
  return {
    size,
    test: (text) => text.length <= lengthMax && compiled.test(text),
    toString: () => source,
  };
}

/** As RE2 syntax; if that fails, translated from ECMAScript syntax. */
function compiledBy(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    const translated = RE2JS.translateRegExp(source);
    try {
      if (translated !== source) return RE2JS.compile(translated);
    } catch {
      // The first message is about the pattern as it was written.
    }
    throw new Error(adviceOn(source) ?? messageOf(error), { cause: error });
  }
}

/** How to do without what linear time rules out; undefined if the pattern is simply wrong. */
function adviceOn(source: string): string | undefined {
  if (/\(\?<?[=!]/.test(source)) {
    return 'look-around is not supported, because patterns run in linear time; write each condition as a pattern of its own in "allOf", or in "not" for what must not match';
  }
  if (/\\(?:[1-9]|k<)/.test(source)) {
    return 'back-references are not supported, because patterns run in linear time; write out the alternatives with "|" or "anyOf"';
  }
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a text is a valid RE2 pattern: the format `regex`. */
export function isPattern(text: string): boolean {
  if (text.length > 1000) return false;
  try {
    compilePattern(text);
    return true;
  } catch {
    return false;
  }
}
