const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is a UUID as this service writes them: in lower case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
