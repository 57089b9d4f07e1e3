const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a value is a lower-case UUID; ids are case-sensitive. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
