/**
 * Compares a presented bearer token with the SCIM secret and the tokens of a directory: by SHA-256, in
 * constant time, and all of them. A refusal makes as many comparisons for any directory, even an unknown
 * one.
 */
import { digestsEqual, sha256 } from '@gatehouse/crypto';
import { type ScimSecretHashes } from './directory.types.js';

/** Tokens of a directory, those included that have expired. */
export const SCIM_TOKENS_MAX = 10;

/** The current and the previous secret, of the directory and of each token. */
const COMPARISONS = 2 * (1 + SCIM_TOKENS_MAX);
const NO_HASH = Buffer.alloc(32).toString('hex');

/** The secret that a request was sent with. */
export interface ScimCredential {
  /** Null for the SCIM secret of the directory. */
  tokenId: string | null;
  sha256: Buffer;
  /** False after its expiry, or after its overlap with the next secret. */
  isValid: boolean;
}

type Candidate = [tokenId: string | null, sha256: string | null, until: number | null];

/** The secret of the directory that was presented, even one that is no longer valid. */
export function findCredential(
  hashes: ScimSecretHashes | undefined,
  presented: string,
  now = Date.now(),
): ScimCredential | undefined {
  const digest = sha256(presented);
  const text = digest.toString('hex');
  const candidates = hashes ? candidatesOf(hashes) : [];
  let found: Candidate | undefined;
  for (const candidate of candidates) {
    const [, hash] = candidate;
    if (digestsEqual(text, hash ?? NO_HASH) && hash !== null) found ??= candidate;
  }
  if (!found) {
    for (let made = candidates.length; made < COMPARISONS; made += 1) digestsEqual(text, NO_HASH);
    return undefined;
  }
  const [tokenId, , until] = found;
  return { tokenId, sha256: digest, isValid: until === null || until > now };
}

function candidatesOf({
  scimSecretSha256,
  scimSecretPreviousSha256,
  scimSecretPreviousUntil,
  scimTokens,
}: ScimSecretHashes): Candidate[] {
  const previousUntil = scimSecretPreviousUntil?.getTime() ?? 0;
  const candidates: Candidate[] = [
    [null, scimSecretSha256?.toString('hex') ?? null, null],
    [null, scimSecretPreviousSha256?.toString('hex') ?? null, previousUntil],
  ];
  for (const { id, sha256: current, expiresAt, previousSha256, previousUntil } of scimTokens ??
    []) {
    candidates.push([id, current, expiresAt], [id, previousSha256, previousUntil ?? 0]);
  }
  return candidates;
}
