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
    if (translated === source) throw error;
    try {
      return RE2JS.compile(translated);
    } catch {
      throw error;
    }
  }
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
