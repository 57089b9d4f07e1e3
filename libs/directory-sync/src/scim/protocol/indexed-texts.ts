import { invalidValue, type ScimResource } from '@gatehouse/scim';

/** A B-tree entry of PostgreSQL holds less than 2704 bytes; these texts stand in one. */
const INDEXED_BYTES_MAX = 2_048;

const INDEXED = ['userName', 'externalId', 'displayName'] as const;

/** Throws 400 invalidValue when an attribute that is searched by index is too long for one. */
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
