const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a value is a UUID as this library writes it: lower case, since ids are case-exact. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
