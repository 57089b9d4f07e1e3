import { createHash } from 'node:crypto';

/** What the table of identifiers stores of one; `key` is the text by which it is compared. */
export function identifierDigest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
