import { ScimError, type ScimResource } from '@gatehouse/scim';

const STORED_CHARACTERS_MAX = 4 * 1024 * 1024;

/**
 * The JSON text of a resource to store. The size of a request body is limited elsewhere; this
 * limits what many requests can add up to.
 *
 * @throws ScimError 413
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
