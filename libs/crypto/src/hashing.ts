import { createHmac, hash, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

type Bytes = string | Uint8Array;

/** SHA-256 (FIPS 180-4) of the UTF-8 text or the bytes: 32 bytes. */
export function sha256(data: Bytes): Buffer {
  return hash('sha256', data, 'buffer');
}

/** SHA-256 as 44 characters of Base64 with padding (RFC 4648, section 4). */
export function sha256Base64(data: Bytes): string {
  return hash('sha256', data, 'base64');
}

/** HMAC-SHA256 (RFC 2104): 32 bytes. */
export function hmacSha256(key: Bytes | KeyObject, data: Bytes): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

/**
 * Compares two texts or byte strings in constant time. It compares their digests, so that the time
 * does not depend on the lengths either.
 */
export function constantTimeEqual(a: Bytes, b: Bytes): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}

/** Random bytes as Base64url without padding (RFC 4648, section 5). */
export function randomToken(byteLength = 32): string {
  return randomBytes(byteLength).toString('base64url');
}
