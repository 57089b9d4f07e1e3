/**
 * Secrets of a directory. Each is sealed under the key ring for one row and column. The SCIM
 * secret is compared by its SHA-256 in constant time.
 */
import {
  digestsEqual,
  generateWebhookSecret,
  type KeyRing,
  openText,
  randomToken,
  seal,
  sha256,
} from '@gatehouse/crypto';
import { type ScimSecretHashes } from './directory.types.js';

export type SealedColumn =
  | 'webhook_secret'
  | 'webhook_headers'
  | 'scim_secret'
  | 'workspace_verifier'
  | 'workspace_access_token'
  | 'workspace_refresh_token';

const NO_HASH = Buffer.alloc(32);

export class DirectorySecrets {
  constructor(private readonly ring: KeyRing) {}

  seal(directoryId: string, column: SealedColumn, secret: string): string {
    return seal(this.ring, secret, place(directoryId, column));
  }

  open(directoryId: string, column: SealedColumn, sealed: string): string {
    return openText(this.ring, sealed, place(directoryId, column));
  }

  /** A new SCIM secret: 32 random bytes in Base64url, sealed and hashed. */
  newScimSecret(directoryId: string): { sealed: string; sha256: Buffer } {
    const secret = randomToken();
    return { sealed: this.seal(directoryId, 'scim_secret', secret), sha256: sha256(secret) };
  }

  /** Seals a webhook secret; generates one if none is given. */
  sealWebhookSecret(directoryId: string, secret = generateWebhookSecret()): string {
    return this.seal(directoryId, 'webhook_secret', secret);
  }
}

/** Whether `presented` is the SCIM secret, or the previous one during its overlap. */
export function isScimSecret(
  hashes: ScimSecretHashes | undefined,
  presented: string,
  now = new Date(),
): boolean {
  const digest = sha256(presented);
  const current = hashes?.scimSecretSha256 ?? null;
  const previous = hashes?.scimSecretPreviousSha256 ?? null;
  const overlaps = (hashes?.scimSecretPreviousUntil ?? now) > now;
  const isCurrent = digestsEqual(digest, current ?? NO_HASH) && current !== null;
  const isPrevious = digestsEqual(digest, previous ?? NO_HASH) && previous !== null;
  return isCurrent || (isPrevious && overlaps);
}

function place(directoryId: string, column: SealedColumn): string {
  return `dsync.directories:${directoryId}:${column}`;
}
