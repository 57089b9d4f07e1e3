/**
 * The secret in the address of a flow is 256 random bits and grants access to the form. The table
 * stores only its digest, so a leak of the table gives no access.
 */
import { createHash, randomBytes } from 'node:crypto';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

export function newFlowSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** @returns undefined when `secret` does not have the form of one */
export function flowDigest(secret: string): Buffer | undefined {
  return SECRET.test(secret) ? createHash('sha256').update(secret).digest() : undefined;
}
