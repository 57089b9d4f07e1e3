import { ScimError, type ScimResource } from '@gatehouse/scim';

const STORED_CHARACTERS_MAX = 4 * 1024 * 1024;

/**
 * A resource as the text that is stored. A body is bounded when it comes in; what many of them add
 * to a resource is bounded here. Throws 413.
 */
export function storedText(resource: ScimResource): string {
  const text = JSON.stringify(resource);
  if (text.length > STORED_CHARACTERS_MAX) {
    throw new ScimError(
      413,
      undefined,
      `The resource would exceed ${STORED_CHARACTERS_MAX} characters.`,
    );
  }
  return text;
}
