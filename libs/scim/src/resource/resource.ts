/** JSON as it travels: what a resource is made of. */

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** A SCIM resource in canonical form: see `normaliseResource`. */
export interface ScimResource extends JsonObject {
  schemas: string[];
}

/** One element of a group's `members` (RFC 7643 section 4.2). */
export interface MemberReference {
  /** Id of the member, as sent. */
  value: string;
  type?: string;
  display?: string;
  $ref?: string;
}
