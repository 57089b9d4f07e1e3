import { isUnsafeName } from '../json/json-access.js';

/** The attribute path of RFC 7644 section 3.10: `[urn:]name[.sub]`. */

/** `[urn:]name[.sub]` as sent; names ignore case. */
export interface AttributePath {
  /** Everything before the attribute name, without the last colon; absent for a bare name. */
  urn?: string;
  /** Absent when the path is a schema URN alone, which addresses the whole extension. */
  name?: string;
  sub?: string;
}

/**
 * The name of an attribute (RFC 7643 section 2.1). As in SCIMMY it may begin with an underscore or a
 * hyphen; with a dollar sign only `$ref` does.
 */
const NAME_PATTERN = /^(?:[A-Za-z_-][\w$-]*|\$ref)$/i;
const URN_PATTERN = /^[A-Za-z][\w.:+%/-]*$/;

/**
 * Parses an attribute path. The last colon ends the URN, so that it can contain the dots of a
 * version number. A URN that ends in a version is a path without a name.
 *
 * @returns undefined when the text is no attribute path, or names a property of the prototype.
 */
export function parseAttributePath(text: string): AttributePath | undefined {
  const colon = text.lastIndexOf(':');
  const urn = colon < 0 ? undefined : text.slice(0, colon);
  if (urn !== undefined && !URN_PATTERN.test(urn)) {
    return undefined;
  }
  const rest = text.slice(colon + 1);
  if (urn !== undefined && /^\d/.test(rest)) {
    return URN_PATTERN.test(text) ? { urn: text } : undefined;
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

function isName(text: string): boolean {
  return NAME_PATTERN.test(text) && !isUnsafeName(text);
}
