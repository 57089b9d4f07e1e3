import { Inject, Injectable } from '@nestjs/common';
import { type KeyedHash, type KeyRing } from '@gatehouse/crypto';
import { LOGGER } from '@gatehouse/service-kit';
import { type Logger } from 'pino';
import { HMAC_RING } from '../key-rings.js';
import { KeysRepository } from '../records/keys.repository.js';
import { type VerificationKey } from '../records/verification-key.js';

const RENEWALS_MAX = 100;

/**
 * Renews the hash that an imported key is found by after a rotation of HMAC_SECRETS. The hash is
 * keyed with the secret and only the raw key can renew it, so the first verification does that in
 * the background. Over time, no stored hash depends on the old secret.
 */
@Injectable()
export class ImportedHashRenewal {
  private readonly renewing = new Set<string>();

  constructor(
    @Inject(HMAC_RING) private readonly ring: KeyRing,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly keys: KeysRepository,
  ) {}

  /** Stores the key under its current hash if it has another one. Does not block. */
  renew({ keyId, hashKeyId }: VerificationKey, current: KeyedHash): void {
    if (hashKeyId === null || hashKeyId === this.ring.currentId) return;
    if (this.renewing.has(keyId) || this.renewing.size >= RENEWALS_MAX) return;
    this.renewing.add(keyId);
    this.keys
      .rehash(keyId, hashKeyId, current)
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'the hash of an imported key could not be renewed');
      })
      .finally(() => this.renewing.delete(keyId));
  }
}
