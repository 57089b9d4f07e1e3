/** Ids are safe in URLs, log lines and the database. */
const SCHEMA_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The rule of `isSchemaId` as a pattern of JSON Schema. */
export const SCHEMA_ID_PATTERN = SCHEMA_ID.source;

export const SCHEMA_VERSION_MAX = 999_999_999;

export function isSchemaId(text: string): boolean {
  return SCHEMA_ID.test(text);
}
