import { ScimError } from '../errors/scim-error.js';

/** Versions as weak entity tags: RFC 7644 section 3.14, RFC 9110 sections 8.8.3 and 13.1. */

const HEADER_LENGTH_MAX = 8192;
const TAG_PATTERN = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** The tag of a version: `W/"3"`. */
export function versionTag(version: number | string): string {
  return `W/"${version}"`;
}

/**
 * True when the request may proceed, also without the header. Otherwise answer 412. An empty header
 * names no version, so it never holds.
 */
export function ifMatchHolds(header: string | undefined, tag: string): boolean {
  return header === undefined || names(header, tag);
}

/** True when the resource must be sent. Otherwise answer 304. */
export function ifNoneMatchHolds(header: string | undefined, tag: string): boolean {
  return header === undefined || header.trim() === '' || !names(header, tag);
}

export function preconditionFailed(): ScimError {
  return new ScimError(412, undefined, 'The resource has changed since the version in If-Match.');
}

/** True when the header contains the tag. All tags are weak, so they compare weakly. */
function names(header: string, tag: string): boolean {
  if (header.trim() === '*') {
    return true;
  }
  const wanted = opaque(tag);
  const text = header.slice(0, HEADER_LENGTH_MAX);
  const tags = [...text.matchAll(TAG_PATTERN)].map((match) => match[1]);
  return tags.includes(wanted) || (tags.length === 0 && text.trim() === wanted);
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '').replace(/^"|"$/g, '');
}
