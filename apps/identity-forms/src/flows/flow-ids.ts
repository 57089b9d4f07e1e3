/**
 * Flow ids are 256 random bits: whoever has one may fill in the form. The table knows only their
 * digest, so reading it opens no form.
 */
import { createHash, randomBytes } from 'node:crypto';

const FLOW_ID = /^[A-Za-z0-9_-]{43}$/;

export function newFlowId(): string {
  return randomBytes(32).toString('base64url');
}

/** @returns undefined for a text that is no flow id */
export function flowIdDigest(id: string): Buffer | undefined {
  return FLOW_ID.test(id) ? createHash('sha256').update(id).digest() : undefined;
}
