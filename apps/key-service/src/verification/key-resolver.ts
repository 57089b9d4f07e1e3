import { type HashedSecret } from '@gatehouse/crypto';
import { type VerificationErrorCode } from '@gatehouse/schemas';
import { Injectable } from '@nestjs/common';
import { KeyCache } from '../store/cache/key-cache.js';
import { KeysRepository } from '../store/keys/keys.repository.js';
import { type VerificationKey } from '../store/keys/verification-key.js';
import { type Credential } from './credentials/credential.js';
import { type CredentialClaim, CredentialReader } from './credentials/credential-reader.js';
import { type CacheMode } from './verification-request.js';
import { type Resolved } from './verification-result.js';

/** Finds the key that a credential belongs to: in memory, or in the store. */
@Injectable()
export class KeyResolver {
  constructor(
    private readonly credentials: CredentialReader,
    private readonly cache: KeyCache,
    private readonly keys: KeysRepository,
  ) {}

  /** The key of a credential from memory; undefined when the store has to be asked. */
  fromMemory({ digest }: Credential): Resolved | undefined {
    const key = this.cache.findByDigest(digest);
    if (key !== undefined) return { key, token: undefined };
    const token = this.credentials.rememberedToken(digest);
    if (token === undefined) return undefined;
    const parent = this.cache.find(token.keyId);
    return parent ? { key: parent, token } : undefined;
  }

  /** The key of a credential, read from the store if needed, or the reason why it has none. */
  async fromStore(
    credential: Credential,
    mode: CacheMode,
  ): Promise<Resolved | VerificationErrorCode> {
    const claim = await this.credentials.claimIn(credential, mode !== 'bypass');
    return typeof claim === 'string' ? claim : this.confirm(claim, credential.digest, mode);
  }

  /** As `fromStore`, for an issued secret of which only the hash is known. */
  ofHashedSecret(secret: HashedSecret): Promise<Resolved | VerificationErrorCode> {
    return this.confirm(this.credentials.claimOf(secret), secret.digest, 'use');
  }

  /** The key of a trust rule, which no credential names. */
  ofRule(keyId: string): Promise<VerificationKey | null> {
    return this.cache.fetch(keyId, () => this.keys.loadForVerification(keyId));
  }

  /** The key that a claim names, if it confirms the claim. */
  private async confirm(
    claim: CredentialClaim,
    digest: string,
    mode: CacheMode,
  ): Promise<Resolved | VerificationErrorCode> {
    const { token } = claim;
    const key = await this.load(claim, mode);
    if (key === null || !claim.confirm(key)) {
      if (mode === 'refresh') this.cache.forget(digest);
      return 'VERIFICATION_ERROR_NOT_FOUND';
    }
    if (mode !== 'bypass' && token === undefined) this.cache.confirm(key, digest);
    return { key, token };
  }

  private load(claim: CredentialClaim, mode: CacheMode): Promise<VerificationKey | null> {
    const { handle, hashes } = claim;
    const read = () =>
      hashes === undefined
        ? this.keys.loadForVerification(handle)
        : this.loadImported(hashes, claim.search);
    if (mode === 'bypass') return read();
    return mode === 'refresh' ? this.cache.refresh(handle, read) : this.cache.fetch(handle, read);
  }

  private async loadImported(
    hashes: readonly string[],
    search: CredentialClaim['search'],
  ): Promise<VerificationKey | null> {
    const key = await this.keys.loadImported(hashes);
    return key === null && (await search?.()) ? this.keys.loadImported(hashes) : key;
  }
}
