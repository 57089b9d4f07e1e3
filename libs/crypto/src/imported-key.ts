/**
 * Imported keys were created elsewhere and may be weak. Their id is a plain digest, so equal raw keys
 * have equal ids. The stored hash is keyed, so a leak of the hash column alone does not allow brute
 * force against weak keys.
 */
import { timingSafeEqual } from 'node:crypto';
import { hmacSha256, sha512t256Hex } from './hashing.js';
import type { KeyRing } from './key-ring.js';

const PURPOSE = 'imported-key-hash';

/** A keyed hash and the public name of its key. */
export interface KeyedHash {
  readonly hash: Buffer;
  readonly hashKeyId: string;
}

/**
 * The key id of an imported key: lower-case hexadecimal SHA-512/256 over the tenant id (text), a
 * zero byte and the raw key (UTF-8). 64 characters.
 */
export function importedKeyId(tenantId: string, rawKey: string): string {
  return sha512t256Hex(`${tenantId}\0${rawKey}`);
}

/** The keyed hash to store for a raw key, under the first key of the ring. */
export function hashImportedKey(ring: KeyRing, keyId: string, rawKey: string): KeyedHash {
  const { id, key } = ring.forPurpose(PURPOSE).current;
  return { hash: hmacSha256(key, `${keyId}\0${rawKey}`), hashKeyId: id };
}

/** Compares a raw key with a stored keyed hash in constant time. False for an unknown key. */
export function confirmImportedKey(
  ring: KeyRing,
  keyId: string,
  rawKey: string,
  stored: KeyedHash,
): boolean {
  const found = ring.forPurpose(PURPOSE).find(stored.hashKeyId);
  if (found === undefined || stored.hash.length !== 32) return false;
  return timingSafeEqual(hmacSha256(found.key, `${keyId}\0${rawKey}`), stored.hash);
}
