// Secrets of a directory: made, sealed under the key ring for exactly one row and column, opened,
// and, for the SCIM secret, compared by SHA-256 in the same time whatever is presented.
import {
  constantTimeEqual,
  decodeWebhookSecret,
  generateWebhookSecret,
  type KeyRing,
  openText,
  randomToken,
  seal,
  sha256,
} from '@gatehouse/crypto';
import { invalidField } from '@gatehouse/service-kit';

export type SealedColumn =
  'webhook_secret' | 'scim_secret' | 'workspace_access_token' | 'workspace_refresh_token';

/** The hashes that a presented SCIM secret may have. */
export interface ScimSecretHashes {
  scimSecretSha256: Buffer | null;
  scimSecretPreviousSha256: Buffer | null;
  scimSecretPreviousUntil: Date | null;
}

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

  /** Seals a webhook secret, or a new one when none is given. Throws 400 for an unusable text. */
  sealWebhookSecret(directoryId: string, secret: string | undefined): string {
    if (secret === undefined)
      return this.seal(directoryId, 'webhook_secret', generateWebhookSecret());
    try {
      decodeWebhookSecret(secret);
    } catch {
      throw invalidField(
        'webhook_secret',
        'must be visible ASCII, and Base64 after the prefix whsec_',
      );
    }
    return this.seal(directoryId, 'webhook_secret', secret);
  }
}

/** Whether `presented` is the SCIM secret, or the one before it while both are accepted. */
export function isScimSecret(
  hashes: ScimSecretHashes | undefined,
  presented: string,
  now = new Date(),
): boolean {
  const digest = sha256(presented);
  const current = hashes?.scimSecretSha256 ?? null;
  const previous = hashes?.scimSecretPreviousSha256 ?? null;
  const overlaps = (hashes?.scimSecretPreviousUntil ?? now) > now;
  const isCurrent = constantTimeEqual(digest, current ?? NO_HASH) && current !== null;
  const isPrevious = constantTimeEqual(digest, previous ?? NO_HASH) && previous !== null;
  return isCurrent || (isPrevious && overlaps);
}

function place(directoryId: string, column: SealedColumn): string {
  return `dsync.directories:${directoryId}:${column}`;
}
