/**
 * Compares a presented bearer token with the SCIM secret and the tokens of a directory: by SHA-256, in
 * constant time, and all of them. A refusal makes as many comparisons for any directory, even an unknown
 * one.
 */
import { digestsEqual, sha256 } from '@gatehouse/crypto';
import { type PublishedToken, type TokenHashes } from '../scim-tokens/scim-token.types.js';
import { type AccessRow, type DirectoryAccess, type ScimSecretHashes } from './directory.types.js';

/** Tokens of a directory, those included that have expired. */
export const SCIM_TOKENS_MAX = 10;

/** The current and the previous secret, of the directory and of each token. */
const COMPARISONS = 2 * (1 + SCIM_TOKENS_MAX);
const NO_HASH = Buffer.alloc(32);

/** The secret that a request was sent with. */
export interface ScimCredential {
  /** Null for the SCIM secret of the directory. */
  tokenId: string | null;
  sha256: Buffer;
  /** False after its expiry, or after its overlap with the next secret. */
  isValid: boolean;
}

/** The secret of the directory that was presented, even one that is no longer valid. */
export function findCredential(
  hashes: ScimSecretHashes | undefined,
  presented: string,
  now = Date.now(),
): ScimCredential | undefined {
  const digest = sha256(presented);
  let found: ScimCredential | undefined;
  let comparisons = 0;
  const compare = (tokenId: string | null, hash: Buffer | null, until: number | null) => {
    comparisons += 1;
    if (!digestsEqual(digest, hash ?? NO_HASH) || hash === null) return;
    found = { tokenId, sha256: digest, isValid: until === null || until > now };
  };
  if (hashes) {
    compare(null, hashes.scimSecretSha256, null);
    compare(null, hashes.scimSecretPreviousSha256, hashes.scimSecretPreviousUntil?.getTime() ?? 0);
    for (const token of hashes.scimTokens) {
      compare(token.id, token.sha256, token.expiresAt);
      compare(token.id, token.previousSha256, token.previousUntil ?? 0);
    }
  }
  while (!found && comparisons < COMPARISONS) compare(null, null, null);
  return found;
}

/** Decodes the stored hashes, so that they can be compared. */
export function accessOf(row: AccessRow): DirectoryAccess {
  return { ...row, scimTokens: row.scimTokens?.map(hashesOf) ?? [] };
}

function hashesOf(published: PublishedToken): TokenHashes {
  const [id, current, expiresAt, previous, previousUntil] = published;
  const previousSha256 = previous === null ? null : Buffer.from(previous, 'base64');
  return { id, sha256: Buffer.from(current, 'base64'), expiresAt, previousSha256, previousUntil };
}
