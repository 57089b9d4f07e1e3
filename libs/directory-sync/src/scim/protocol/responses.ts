/** Responses with a resource, and entity tags: RFC 7644 section 3.14, RFC 9110 section 13. */
import {
  type AttributeSelection,
  ifMatchHolds,
  ifNoneMatchHolds,
  type JsonObject,
  preconditionFailed,
  selectAttributes,
  versionTag,
} from '@gatehouse/scim';
import { type ScimRequest, type ScimResponse } from './scim.types.js';

export const NO_CONTENT: ScimResponse = { status: 204, headers: {}, data: null };

/** @throws ScimError 412 if `If-Match` or `If-None-Match` of the request rules out this version */
export function checkPreconditions(request: ScimRequest, version: number): void {
  const tag = versionTag(version);
  if (!ifMatchHolds(request.ifMatch, tag) || !ifNoneMatchHolds(request.ifNoneMatch, tag)) {
    throw preconditionFailed();
  }
}

/**
 * The response to a read: 304 if the client has this version, else the selected attributes.
 *
 * @throws ScimError 412 if `If-Match` names another version
 */
export function conditionalGetResponse(
  request: ScimRequest,
  document: JsonObject,
  selection: AttributeSelection,
): ScimResponse {
  const { version } = document.meta as { version: string };
  if (!ifMatchHolds(request.ifMatch, version)) throw preconditionFailed();
  if (!ifNoneMatchHolds(request.ifNoneMatch, version)) {
    return { status: 304, headers: { ETag: version }, data: null };
  }
  return writeResponse(200, document, selection);
}

/** A response with one resource, its location and its version. */
export function writeResponse(
  status: number,
  document: JsonObject,
  selection: AttributeSelection,
): ScimResponse {
  const { version, location } = document.meta as { version: string; location: string };
  return {
    status,
    // Clients look for either; RFC 7643 section 3.1 requires only that both are the same.
    headers: { ETag: version, Location: location, 'Content-Location': location },
    data: selectAttributes(document, selection),
  };
}
