import { type JsonObject } from '../json/json.js';

/** A SCIM resource in canonical form: see `normalizeResource`. */
export interface ScimResource extends JsonObject {
  schemas: string[];
}

/** One element of a group's `members` (RFC 7643 section 4.2). */
export interface MemberReference {
  /** Id of the member, as sent. */
  value: string;
  type?: string;
  $ref?: string;
}
