import { createHash } from 'node:crypto';

/** The stored digest of an identifier; `key` is its comparison key. */
export function identifierDigest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
