/**
 * Imported keys were created elsewhere and may be weak. Nothing that is stored, shown or logged may
 * allow anyone to guess them offline, so their id is random and they are found by a keyed hash.
 */
import { hmacSha256 } from './hashing.js';
import { type KeyRing } from './key-ring.js';

const PURPOSE = 'imported-key-lookup';
/** A purpose of its own, so that a foreign hash cannot be presented as a raw key. */
const HASH_PURPOSE = 'imported-hash-lookup';

/** A keyed hash and the public name of its key. */
export interface KeyedHash {
  readonly hash: Buffer;
  readonly hashKeyId: string;
}

/**
 * The keyed hashes of a raw key (UTF-8), one for each secret of the ring, the current one first. A
 * key is stored under the first and may still be stored under one of the others.
 */
export function hashImportedKey(ring: KeyRing, rawKey: string): [KeyedHash, ...KeyedHash[]] {
  return keyedHashes(ring, PURPOSE, rawKey);
}

/** As `hashImportedKey`, for a text that describes the hash that another system has made of a key. */
export function hashImportedHash(ring: KeyRing, text: string): [KeyedHash, ...KeyedHash[]] {
  return keyedHashes(ring, HASH_PURPOSE, text);
}

function keyedHashes(ring: KeyRing, purpose: string, text: string): [KeyedHash, ...KeyedHash[]] {
  const hashes = ring
    .forPurpose(purpose)
    .all.map(({ id, key }) => ({ hash: hmacSha256(key, text), hashKeyId: id }));
  return hashes as [KeyedHash, ...KeyedHash[]];
}
