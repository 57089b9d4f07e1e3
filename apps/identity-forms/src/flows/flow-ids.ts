/**
 * A flow id is 256 random bits and grants access to the form. The table stores only its digest, so
 * a leak of the table gives no access.
 */
import { createHash, randomBytes } from 'node:crypto';

const FLOW_ID = /^[A-Za-z0-9_-]{43}$/;

export function newFlowId(): string {
  return randomBytes(32).toString('base64url');
}

/** @returns undefined when `id` is not a flow id */
export function flowIdDigest(id: string): Buffer | undefined {
  return FLOW_ID.test(id) ? createHash('sha256').update(id).digest() : undefined;
}
