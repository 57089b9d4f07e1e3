// From a credential to the key that it belongs to. Nothing is looked up for a secret whose checksum
// is wrong; a token is taken apart once and remembered by its digest.
import { Inject, Injectable } from '@nestjs/common';
import {
  confirmImportedKey,
  constantTimeEqual,
  credentialKind,
  importedKeyId,
  IssuedSecretCodec,
  type KeyRing,
  sha256Base64,
} from '@gatehouse/crypto';
import { LRUCache } from 'lru-cache';
import { KeyServiceConfig } from '../config.js';
import { HMAC_RING } from '../key-rings.js';
import { ImportedHashRenewal } from './imported-hash-renewal.js';
import { type DerivedToken, isParent, isTokenFault } from './derived-token.js';
import { JwtTokens } from './jwt.js';
import { MacaroonTokens } from './macaroon-tokens.js';
import { SigningKeysService } from './signing-keys.service.js';
import type { VerificationErrorCode } from '../wire/enums.js';
import { KeyCache } from '../cache/key-cache.js';
import { KeyLoader } from '../cache/key-loader.js';
import type { VerificationKey } from '../records/verification-key.js';

/** One installation is one tenant; its id is part of the id of every imported key. */
export const TENANT_ID = '00000000-0000-0000-0000-000000000000';
/** A JWT of a key with as many scopes, metadata and networks as there may be is a little shorter. */
const CREDENTIAL_CHARACTERS_MAX = 512 * 1024;
const TOKENS_MAX = 50_000;
const TOKEN_BYTES = 512;
const TOKENS_BYTES_MAX = 64 * 1024 * 1024;

/** `use` reads and fills the cache, `refresh` only fills it, `bypass` does neither. */
export type CacheMode = 'use' | 'refresh' | 'bypass';

export interface Resolved {
  readonly key: VerificationKey;
  readonly token: DerivedToken | undefined;
}

@Injectable()
export class CredentialResolver {
  private readonly codec: IssuedSecretCodec;
  private readonly prefixes: ReadonlySet<string>;
  private withdrawalsSeen = 0;
  /** What is said of a token is about as long as the token, which holds it all. */
  private readonly tokens = new LRUCache<string, DerivedToken>({
    max: TOKENS_MAX,
    maxSize: TOKENS_BYTES_MAX,
  });

  constructor(
    config: KeyServiceConfig,
    @Inject(HMAC_RING) private readonly ring: KeyRing,
    private readonly cache: KeyCache,
    private readonly loader: KeyLoader,
    private readonly jwts: JwtTokens,
    private readonly macaroons: MacaroonTokens,
    private readonly renewal: ImportedHashRenewal,
    private readonly signingKeys: SigningKeysService,
  ) {
    this.codec = new IssuedSecretCodec(ring);
    this.prefixes = new Set([config.secretPrefix, config.publicPrefix, ...config.retiredPrefixes]);
  }

  /** The answer when memory alone has it; undefined when it takes more. */
  fromCache(credential: string, nowMs: number): Resolved | undefined {
    const digest = sha256Base64(credential);
    const key = this.cache.findByDigest(digest, nowMs);
    if (key !== undefined) return { key, token: undefined };
    const token = this.rememberedToken(digest);
    if (token === undefined) return undefined;
    const parent = this.cache.find(token.keyId, nowMs);
    return parent && isParent(parent, token) ? { key: parent, token } : undefined;
  }

  /** The key of a credential, or why there is none. */
  async resolve(credential: string, mode: CacheMode): Promise<Resolved | VerificationErrorCode> {
    if (credential === '' || credential.length > CREDENTIAL_CHARACTERS_MAX) {
      return 'VERIFICATION_ERROR_INVALID_FORMAT';
    }
    const kind = credentialKind(credential);
    if (kind === 'issued') return this.issued(credential, mode);
    if (kind === 'imported') return this.imported(credential, mode);
    const digest = sha256Base64(credential);
    let token = mode === 'bypass' ? undefined : this.rememberedToken(digest);
    if (token === undefined) {
      const { withdrawals } = this.signingKeys;
      const read =
        kind === 'jwt' ? await this.jwts.read(credential) : this.macaroons.read(credential);
      if (isTokenFault(read)) return read;
      token = read;
      const isStillTrusted = withdrawals === this.signingKeys.withdrawals;
      if (mode !== 'bypass' && isStillTrusted) {
        this.tokens.set(digest, token, { size: TOKEN_BYTES + credential.length });
      }
    }
    const key = await this.load(token.keyId, mode);
    return key && isParent(key, token) ? { key, token } : 'VERIFICATION_ERROR_NOT_FOUND';
  }

  /** Forgets every token when a signing key was withdrawn: its signature proves nothing now. */
  private rememberedToken(digest: string): DerivedToken | undefined {
    if (this.withdrawalsSeen !== this.signingKeys.withdrawals) {
      this.withdrawalsSeen = this.signingKeys.withdrawals;
      this.tokens.clear();
    }
    return this.tokens.get(digest);
  }

  private async issued(secret: string, mode: CacheMode): Promise<Resolved | VerificationErrorCode> {
    const parsed = this.codec.parse(secret);
    if (parsed === null || !this.prefixes.has(parsed.prefix)) return 'VERIFICATION_ERROR_NOT_FOUND';
    const key = await this.load(parsed.keyId, mode);
    const isConfirmed = constantTimeEqual(key?.secretHash ?? '', sha256Base64(secret));
    if (!isConfirmed || key?.kind !== 'issued') return 'VERIFICATION_ERROR_NOT_FOUND';
    // The very text that the key holds already: memory has it once.
    if (mode !== 'bypass') this.cache.confirm(key, key.secretHash);
    return { key, token: undefined };
  }

  private async imported(
    rawKey: string,
    mode: CacheMode,
  ): Promise<Resolved | VerificationErrorCode> {
    const keyId = importedKeyId(TENANT_ID, rawKey);
    const key = await this.load(keyId, mode);
    const hashKeyId = key?.hashKeyId ?? '';
    const isConfirmed =
      key?.kind === 'imported' &&
      confirmImportedKey(this.ring, keyId, rawKey, {
        hash: Buffer.from(key.secretHash, 'base64'),
        hashKeyId,
      });
    if (!isConfirmed) return 'VERIFICATION_ERROR_NOT_FOUND';
    this.renewal.renew(keyId, rawKey, hashKeyId);
    if (mode !== 'bypass') this.cache.confirm(key, sha256Base64(rawKey));
    return { key, token: undefined };
  }

  private load(keyId: string, mode: CacheMode): Promise<VerificationKey | null> {
    if (mode === 'bypass') return this.loader.read(keyId);
    if (mode === 'refresh') return this.loader.refresh(keyId);
    const known = this.cache.find(keyId, Date.now());
    return known === undefined ? this.loader.load(keyId) : Promise.resolve(known);
  }
}
