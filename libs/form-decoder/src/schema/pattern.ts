import { RE2JS } from 're2js';

/**
 * Regular expressions of a schema run in RE2's dialect and in linear time, whoever wrote them. Two
 * bounds keep a match short in practice too: the size of a compiled pattern, and size times length.
 */

/** Instructions of one compiled pattern. */
const PATTERN_SIZE_MAX = 1000;
/** Instructions of all patterns of one schema. */
export const PATTERNS_SIZE_MAX = 20_000;
const WORK_MAX = 10_000_000;

export interface Pattern {
  readonly size: number;
  /** Unanchored. False, too, for a text that is too long for a pattern of this size. */
  test(text: string): boolean;
  /** Its source: by this the validator tells the patterns of a schema apart. */
  toString(): string;
}

/** Throws an Error with RE2's own words when the pattern is not one, or is too large. */
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

/** As RE2 reads it; what is none there may be an ECMAScript pattern that can be written so. */
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

/** Whether RE2 takes a text as a pattern: the format `regex`. */
export function isPattern(text: string): boolean {
  if (text.length > 1000) return false;
  try {
    compilePattern(text);
    return true;
  } catch {
    return false;
  }
}
