import { Inject, Injectable } from '@nestjs/common';
import { IssuedSecretCodec, type KeyRing, previewOfIssuedSecret, sha256 } from '@gatehouse/crypto';
import { uuidv7 } from '@gatehouse/service-kit';
import { KeyServiceConfig } from '../config.js';
import { HMAC_RING } from '../key-rings.js';
import { type KeyVisibility } from '../wire/enums.js';
import { type NewKey } from '../records/key.record.js';

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

  mint(visibility: KeyVisibility): {
    secret: string;
    identity: Pick<NewKey, 'keyId' | 'kind' | 'secretHash' | 'hashKeyId' | 'keyPreview'>;
  } {
    const isPublic = visibility === 'KEY_VISIBILITY_PUBLIC';
    const keyId = uuidv7();
    const secret = this.codec.issue(
      isPublic ? this.config.publicPrefix : this.config.secretPrefix,
      keyId,
    );
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

  /** When a key that is created now expires; null for never. */
  expireTime(now: Date, ttlSeconds: number | undefined): Date | null {
    const seconds = ttlSeconds ?? this.config.defaultTtlSeconds;
    const cut = ttlSeconds === undefined ? Math.min(seconds, this.config.maxTtlSeconds) : seconds;
    return cut === 0 ? null : new Date(now.getTime() + cut * 1000);
  }
}
