/** What names a schema: safe in an address, in a log line, in a database. */
export const SCHEMA_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export function isSchemaId(text: string): boolean {
  return SCHEMA_ID.test(text);
}
