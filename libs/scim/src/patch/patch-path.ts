import { invalidPath, ScimError } from '../errors/scim-error.js';
import { type Filter } from '../filter/filter-ast.js';
import { tokenize } from '../filter/filter-lexer.js';
import { parseFilter } from '../filter/filter-parser.js';
import { type AttributePath } from '../path/attribute-path.js';
import { parseAttributePath } from '../path/attribute-path.js';

/** The path of a PATCH operation: `attr`, `attr.sub`, `attr[filter]`, `attr[filter].sub`. */

export interface PatchPath {
  text: string;
  attribute: AttributePath;
  /** The filter in brackets. */
  filter?: Filter;
  /** The sub-attribute behind the brackets. */
  sub?: string;
}

const PATH_LENGTH_MAX = 2048;

/**
 * Parses the path of a PATCH operation (RFC 7644 figure 7).
 *
 * @throws ScimError 400 invalidPath, also for a malformed filter in the brackets.
 */
export function parsePatchPath(source: string): PatchPath {
  const text = source.trim();
  if (text.length > PATH_LENGTH_MAX) {
    throw invalidPath(`A path is longer than ${PATH_LENGTH_MAX} characters.`);
  }
  const open = text.indexOf('[');
  if (open < 0) {
    const attribute = parseAttributePath(text);
    if (attribute === undefined) {
      throw wrong(text);
    }
    return { text, attribute };
  }
  try {
    return parseValuePath(text, open);
  } catch (error) {
    if (error instanceof ScimError && error.scimType === 'invalidFilter') {
      throw invalidPath(`The path "${text.slice(0, 256)}" is not valid: ${error.detail}`);
    }
    throw error;
  }
}

function wrong(text: string): ScimError {
  return invalidPath(`The path "${text.slice(0, 256)}" is not valid.`);
}

function parseValuePath(text: string, open: number): PatchPath {
  const attribute = parseAttributePath(text.slice(0, open).trim());
  const close = closingBracket(text);
  const rest = text.slice(close + 1);
  const sub = rest.startsWith('.') ? parseAttributePath(rest.slice(1)) : undefined;
  const hasWrongSub = rest !== '' && (sub === undefined || (sub.urn ?? sub.sub) !== undefined);
  if (attribute?.name === undefined || attribute.sub !== undefined || hasWrongSub) {
    throw wrong(text);
  }
  const filter = parseFilter(text.slice(open + 1, close));
  return { text, attribute, filter, ...(sub === undefined ? {} : { sub: sub.name }) };
}

/** Offset of the bracket that closes the first value path. Brackets in strings are skipped. */
function closingBracket(text: string): number {
  const close = tokenize(text).find(({ kind }) => kind === ']');
  if (close === undefined) {
    throw wrong(text);
  }
  return close.offset;
}
