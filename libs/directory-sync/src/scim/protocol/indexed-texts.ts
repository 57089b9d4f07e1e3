import { invalidValue, type ScimResource } from '@gatehouse/scim';

/** A PostgreSQL B-tree entry holds less than 2704 bytes. */
const INDEXED_BYTES_MAX = 2_048;

const INDEXED = ['userName', 'externalId', 'displayName'] as const;

/** @throws ScimError 400 `invalidValue` if an indexed attribute is too long for its index */
export function checkIndexedTexts(resource: ScimResource): void {
  for (const name of INDEXED) checkText(resource[name], name);
  const { emails } = resource;
  if (!Array.isArray(emails)) return;
  for (const email of emails) {
    if (typeof email === 'object' && email !== null && !Array.isArray(email)) {
      checkText(email.value, 'emails.value');
    }
  }
}

function checkText(value: unknown, name: string): void {
  if (typeof value === 'string' && Buffer.byteLength(value) > INDEXED_BYTES_MAX) {
    throw invalidValue(`${name} must not exceed ${INDEXED_BYTES_MAX} bytes`);
  }
}
