const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a value is a UUID in lower case, as the services write them. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
