/**
 * The secret in the address of a page is 256 random bits and grants access to the page. Tables
 * store only its digest, so a leak of a table gives no access.
 */
import { createHash, randomBytes } from 'node:crypto';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

export function newAddressSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** @returns undefined when `secret` does not have the form of one */
export function addressDigest(secret: string): Buffer | undefined {
  return SECRET.test(secret) ? createHash('sha256').update(secret).digest() : undefined;
}
