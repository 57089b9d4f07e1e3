import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  IssuedSecretCodec,
  type KeyRing,
  prefixOfPreview,
  previewOfIssuedSecret,
  sha256,
} from '@gatehouse/crypto';
import { uuidv7 } from '@gatehouse/kit/ids';
import { KeyServiceConfig } from '../config.js';
import { HMAC_RING } from '../key-rings.js';
import { type KeyVisibility } from '@gatehouse/schemas';
import { invalidField } from '@gatehouse/kit/input';
import { type NewKey } from '../store/keys/key.record.js';

export type KeyIdentity = Pick<
  NewKey,
  'keyId' | 'kind' | 'secretHash' | 'hashKeyId' | 'keyPreview'
>;

/** Makes key ids and secrets. Only the hash and the preview of a secret are stored. */
@Injectable()
export class SecretMinter {
  private readonly codec: IssuedSecretCodec;

  constructor(
    private readonly config: KeyServiceConfig,
    @Inject(HMAC_RING) ring: KeyRing,
  ) {
    this.codec = new IssuedSecretCodec(ring);
  }

  /**
   * @param prefix that a caller chose; undefined for the default
   * @throws DomainError that names `prefix` if keys of this visibility cannot have it
   */
  mint(visibility: KeyVisibility, prefix?: string): { secret: string; identity: KeyIdentity } {
    const keyId = uuidv7();
    const secret = this.codec.issue(this.prefixFor(visibility, prefix), keyId);
    return {
      secret,
      identity: {
        keyId,
        kind: 'issued',
        secretHash: sha256(secret),
        hashKeyId: null,
        keyPreview: previewOfIssuedSecret(secret),
      },
    };
  }

  /** A key that no credential belongs to: its hash is no hash of anything. */
  withoutSecret(kind: KeyIdentity['kind']): KeyIdentity {
    const secretHash = randomBytes(32);
    return { keyId: uuidv7(), kind, secretHash, hashKeyId: null, keyPreview: '' };
  }

  /** The prefix of another key, if keys of this visibility can have it; otherwise undefined. */
  inheritedPrefix(visibility: KeyVisibility, keyPreview: string): string | undefined {
    const prefix = prefixOfPreview(keyPreview);
    return this.prefixesOf(visibility).includes(prefix) ? prefix : undefined;
  }

  private prefixFor(visibility: KeyVisibility, chosen: string | undefined): string {
    const prefixes = this.prefixesOf(visibility);
    const prefix = chosen ?? prefixes[0];
    if (prefix !== undefined && prefixes.includes(prefix)) return prefix;
    throw invalidField('prefix', `must be one of ${prefixes.join(', ')}`);
  }

  private prefixesOf(visibility: KeyVisibility): readonly string[] {
    const isPublic = visibility === 'KEY_VISIBILITY_PUBLIC';
    return isPublic ? this.config.publicPrefixes : this.config.secretPrefixes;
  }

  /** When a key that is created now expires; null for never. */
  expireTime(now: Date, ttlSeconds: number | undefined): Date | null {
    const seconds = ttlSeconds ?? this.config.defaultTtlSeconds;
    const cut = ttlSeconds === undefined ? Math.min(seconds, this.config.maxTtlSeconds) : seconds;
    return cut === 0 ? null : new Date(now.getTime() + cut * 1000);
  }
}
