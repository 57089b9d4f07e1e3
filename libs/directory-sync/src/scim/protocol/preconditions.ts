/** Entity tags: RFC 7644 section 3.14, RFC 9110 section 13. */
import {
  type AttributeSelection,
  ifMatchHolds,
  ifNoneMatchHolds,
  type JsonObject,
  preconditionFailed,
  selectAttributes,
  versionTag,
} from '@gatehouse/scim';
import type { ScimAnswer, ScimCall } from './scim.types.js';

/** Throws 412 when the call asks for a version and this is another, or for none such and this is it. */
export function checkPreconditions(call: ScimCall, version: number): void {
  const tag = versionTag(version);
  if (!ifMatchHolds(call.ifMatch, tag) || !ifNoneMatchHolds(call.ifNoneMatch, tag)) {
    throw preconditionFailed();
  }
}

/** The answer to a read: 304 when the client has this version, else the chosen attributes. */
export function freshAnswer(
  call: ScimCall,
  document: JsonObject,
  selection: AttributeSelection,
): ScimAnswer {
  const { version } = document.meta as { version: string };
  if (!ifNoneMatchHolds(call.ifNoneMatch, version)) {
    return { status: 304, headers: { ETag: version }, data: null };
  }
  return writtenAnswer(200, document, selection);
}

/** An answer with one resource, its address and its version. */
export function writtenAnswer(
  status: number,
  document: JsonObject,
  selection: AttributeSelection,
): ScimAnswer {
  const { version, location } = document.meta as { version: string; location: string };
  return {
    status,
    headers: { ETag: version, [status === 201 ? 'Location' : 'Content-Location']: location },
    data: selectAttributes(document, selection),
  };
}
