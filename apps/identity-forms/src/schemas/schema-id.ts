/** Ids are safe in URLs, log lines and the database. */
export const SCHEMA_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export const SCHEMA_VERSION_MAX = 999_999_999;

export function isSchemaId(text: string): boolean {
  return SCHEMA_ID.test(text);
}
