import { Inject, Injectable } from '@nestjs/common';
import {
  digestsEqual,
  credentialKind,
  hashImportedKey,
  type HashedSecret,
  IssuedSecretCodec,
  type KeyRing,
} from '@gatehouse/crypto';
import { LRUCache } from 'lru-cache';
import { KeyServiceConfig } from '../../config.js';
import { HashSearch } from '../imported-hashes/hash-search.js';
import { type Pending, PendingHashes } from '../imported-hashes/pending-hashes.js';
import { HMAC_RING } from '../../key-rings.js';
import { type VerificationKey } from '../../store/keys/verification-key.js';
import { type VerificationErrorCode } from '@gatehouse/schemas';
import { type Credential, CREDENTIAL_BYTES_MAX } from './credential.js';
import { type DerivedToken, isTokenFault } from './derived-token.js';
import { ImportedHashRenewal } from './imported-hash-renewal.js';
import { JwtTokens } from './jwt.js';
import { MacaroonTokens } from './macaroon-tokens.js';
import { SigningKeysService } from './signing-keys.service.js';

const TOKEN_BYTES = 512;
const TOKENS_BYTES_MAX = 64 * 1024 * 1024;

/** The key that a credential names, before that key has confirmed it. */
export interface CredentialClaim {
  /** The key id, or the current hash of an imported key: the name of a read of this key. */
  readonly handle: string;
  /** Base64 of the hashes that an imported key may be stored under; undefined for other keys. */
  readonly hashes: readonly string[] | undefined;
  /** Undefined when the credential is the key itself. */
  readonly token: DerivedToken | undefined;
  /**
   * For a key that is not stored under `hashes`: looks for one that was imported by a hash that has to
   * be tried, and stores it so. Returns whether to read it again.
   */
  readonly search?: () => Promise<boolean>;
  /** Whether the credential belongs to this key. */
  confirm(key: VerificationKey): boolean;
}

/**
 * Reads which key a credential names. A secret with a wrong checksum names none, so it costs no
 * lookup. Tokens whose signature was checked are remembered by their digest.
 */
@Injectable()
export class CredentialReader {
  private readonly codec: IssuedSecretCodec;
  private readonly prefixes: ReadonlySet<string>;
  private withdrawalsSeen = 0;
  /** Sized by the length of the token, which is close to the size of the entry. */
  private readonly tokens = new LRUCache<string, DerivedToken>({
    maxSize: TOKENS_BYTES_MAX,
  });

  constructor(
    config: KeyServiceConfig,
    @Inject(HMAC_RING) private readonly ring: KeyRing,
    private readonly jwts: JwtTokens,
    private readonly macaroons: MacaroonTokens,
    private readonly renewal: ImportedHashRenewal,
    private readonly signingKeys: SigningKeysService,
    private readonly pendingHashes: PendingHashes,
    private readonly hashSearch: HashSearch,
  ) {
    this.codec = new IssuedSecretCodec(ring);
    this.prefixes = new Set(config.acceptedPrefixes);
  }

  /** @param remembers whether tokens are read from memory and kept there */
  claimIn(
    credential: Credential,
    remembers: boolean,
  ): CredentialClaim | VerificationErrorCode | Promise<CredentialClaim | VerificationErrorCode> {
    const { text } = credential;
    if (text === '' || Buffer.byteLength(text) > CREDENTIAL_BYTES_MAX) {
      return 'VERIFICATION_ERROR_INVALID_FORMAT';
    }
    const kind = credentialKind(text);
    if (kind === 'issued') return this.readIssued(credential);
    if (kind === 'imported') return this.readImported(credential);
    return this.readToken(credential, kind, remembers);
  }

  /** The token with this digest, if its signature was checked with keys that are still trusted. */
  rememberedToken(digest: string): DerivedToken | undefined {
    if (this.withdrawalsSeen !== this.signingKeys.withdrawals) {
      this.withdrawalsSeen = this.signingKeys.withdrawals;
      this.tokens.clear();
    }
    return this.tokens.get(digest);
  }

  /** The claim of an issued secret of which only the hash is known. */
  claimOf({ keyId, digest }: HashedSecret): CredentialClaim {
    return {
      handle: keyId,
      hashes: undefined,
      token: undefined,
      confirm: (key) => key.kind === 'issued' && digestsEqual(key.secretHash, digest),
    };
  }

  private readIssued({ text, digest }: Credential): CredentialClaim | VerificationErrorCode {
    const parsed = this.codec.parse(text);
    if (parsed === null || !this.prefixes.has(parsed.prefix)) return 'VERIFICATION_ERROR_NOT_FOUND';
    return this.claimOf({ keyId: parsed.keyId, digest });
  }

  private readImported(credential: Credential): CredentialClaim | Promise<CredentialClaim> {
    const pending = this.pendingHashes.current();
    return pending instanceof Promise
      ? pending.then((read) => this.importedClaim(credential, read))
      : this.importedClaim(credential, pending);
  }

  private importedClaim(credential: Credential, pending: Pending): CredentialClaim {
    const keyedHashes = hashImportedKey(this.ring, credential.text);
    const own = keyedHashes.map(({ hash }) => hash.toString('base64'));
    const foreign = this.hashSearch.lookupNames(pending, credential.text);
    const hashes = [...own, ...foreign];
    const [current] = keyedHashes;
    const isSearched = pending.prefixLengths.length > 0;
    return {
      handle: own[0] as string,
      hashes,
      token: undefined,
      ...(isSearched && {
        search: () => this.hashSearch.rekeyByPrefix(credential, pending, current),
      }),
      confirm: (key) => {
        // The store found the key by one of these hashes, which only the raw key has.
        if (key.kind !== 'imported' || !hashes.includes(key.secretHash)) return false;
        this.renewal.renew(key, current);
        return true;
      },
    };
  }

  private async readToken(
    { text, digest }: Credential,
    kind: 'jwt' | 'macaroon',
    remembers: boolean,
  ): Promise<CredentialClaim | VerificationErrorCode> {
    let token = remembers ? this.rememberedToken(digest) : undefined;
    if (token === undefined) {
      const { withdrawals } = this.signingKeys;
      const read =
        kind === 'jwt' ? await this.jwts.readJwt(text) : this.macaroons.readMacaroon(text);
      if (isTokenFault(read)) return read;
      token = read;
      const isStillTrusted = withdrawals === this.signingKeys.withdrawals;
      if (remembers && isStillTrusted) {
        this.tokens.set(digest, token, { size: TOKEN_BYTES + text.length });
      }
    }
    return { handle: token.keyId, hashes: undefined, token, confirm: () => true };
  }
}
