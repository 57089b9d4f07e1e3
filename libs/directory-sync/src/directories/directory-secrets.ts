/**
 * Secrets of a directory. Each is sealed under the key ring for one row and column. The SCIM secret is
 * hashed as well, and a token is only hashed.
 */
import {
  generateWebhookSecret,
  IssuedSecretCodec,
  type KeyRing,
  openText,
  previewOfIssuedSecret,
  randomToken,
  seal,
  sha256,
} from '@gatehouse/crypto';
import { type HashedToken } from '../scim-tokens/scim-token.types.js';

export type SealedColumn =
  | 'webhook_secret'
  | 'webhook_headers'
  | 'scim_secret'
  | 'workspace_verifier'
  | 'workspace_access_token'
  | 'workspace_refresh_token';

/** Prefix by which secret scanners recognize SCIM tokens. */
export const SCIM_TOKEN_PREFIX = 'gate_scim';

export class DirectorySecrets {
  private readonly tokens: IssuedSecretCodec;

  constructor(private readonly ring: KeyRing) {
    this.tokens = new IssuedSecretCodec(ring);
  }

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

  /** A new secret of a token, in the format of issued secrets. */
  newScimToken(tokenId: string): HashedToken & { secret: string } {
    const secret = this.tokens.issue(SCIM_TOKEN_PREFIX, tokenId);
    return { secret, sha256: sha256(secret), preview: previewOfIssuedSecret(secret) };
  }

  /** Seals a webhook secret; generates one if none is given. */
  sealWebhookSecret(directoryId: string, secret = generateWebhookSecret()): string {
    return this.seal(directoryId, 'webhook_secret', secret);
  }
}

function place(directoryId: string, column: SealedColumn): string {
  return `dsync.directories:${directoryId}:${column}`;
}
