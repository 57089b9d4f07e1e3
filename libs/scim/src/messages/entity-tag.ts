import { ScimError } from '../errors/scim-error.js';

/** Versions as weak entity tags: RFC 7644 section 3.14, RFC 9110 sections 8.8.3 and 13.1. */

const HEADER_LENGTH_MAX = 8192;
const TAG_PATTERN = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** The tag of a version: `W/"3"`. */
export function versionTag(version: number | string): string {
  return `W/"${version}"`;
}

/** Whether the request may go on; without the header it may. If not, answer 412. */
export function ifMatchHolds(header: string | undefined, tag: string): boolean {
  return header === undefined || header.trim() === '' || names(header, tag);
}

/** Whether the resource has to be sent; if not, answer 304. */
export function ifNoneMatchHolds(header: string | undefined, tag: string): boolean {
  return header === undefined || header.trim() === '' || !names(header, tag);
}

export function preconditionFailed(): ScimError {
  return new ScimError(412, undefined, 'The resource has changed since the version in If-Match.');
}

/** Whether a header names the tag; tags compare weakly, as all of ours are weak. */
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
