import { type AttributePath } from '../filter/filter-ast.js';
import { isUnsafeName } from '../resource/json-access.js';

/** The attribute path of RFC 7644 section 3.10: `[urn:]name[.sub]`. */

const namePattern = /^[A-Za-z_$-][\w$-]*$/;
const urnPattern = /^[A-Za-z][\w.:+%/-]*$/;

function isName(text: string): boolean {
  return namePattern.test(text) && !isUnsafeName(text);
}

/**
 * Parses the text of an attribute path. The last colon ends the URN, so that the dots of a version
 * number stay in it; a URN alone that ends in a version gives a path without a name.
 *
 * @returns undefined when the text is no attribute path, or names a property of the prototype.
 */
export function parseAttributePath(text: string): AttributePath | undefined {
  const colon = text.lastIndexOf(':');
  const urn = colon < 0 ? undefined : text.slice(0, colon);
  if (urn !== undefined && !urnPattern.test(urn)) {
    return undefined;
  }
  const rest = text.slice(colon + 1);
  if (urn !== undefined && /^\d/.test(rest)) {
    return urnPattern.test(text) ? { urn: text } : undefined;
  }
  const dot = rest.indexOf('.');
  const name = dot < 0 ? rest : rest.slice(0, dot);
  if (!isName(name)) {
    return undefined;
  }
  const path: AttributePath = urn === undefined ? { name } : { urn, name };
  if (dot >= 0) {
    const sub = rest.slice(dot + 1);
    if (!isName(sub)) {
      return undefined;
    }
    path.sub = sub;
  }
  return path;
}

export function printAttributePath({ urn, name, sub }: AttributePath): string {
  const attribute = name === undefined ? '' : sub === undefined ? name : `${name}.${sub}`;
  if (urn === undefined) {
    return attribute;
  }
  return name === undefined ? urn : `${urn}:${attribute}`;
}
