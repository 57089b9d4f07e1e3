import { Inject, Injectable } from '@nestjs/common';
import { hashImportedKey, type KeyRing } from '@gatehouse/crypto';
import { LOGGER } from '@gatehouse/service-kit';
import type { Logger } from 'pino';
import { HMAC_RING } from '../key-rings.js';
import { KeysRepository } from '../records/keys.repository.js';

const RENEWALS_MAX = 100;

/**
 * Rehashes imported keys after a rotation of HMAC_SECRETS. The hash is keyed with the secret and
 * only the raw key can renew it, so the first verification does that in the background. Over time,
 * no stored hash depends on the old secret.
 */
@Injectable()
export class ImportedHashRenewal {
  private readonly renewing = new Set<string>();

  constructor(
    @Inject(HMAC_RING) private readonly ring: KeyRing,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly keys: KeysRepository,
  ) {}

  /** Rehashes the key with the current secret if it used another one. Does not block. */
  renew(keyId: string, rawKey: string, hashKeyId: string): void {
    if (hashKeyId === this.ring.currentId || this.renewing.has(keyId)) return;
    if (this.renewing.size >= RENEWALS_MAX) return;
    this.renewing.add(keyId);
    const renewed = hashImportedKey(this.ring, keyId, rawKey);
    this.keys
      .rehash(keyId, hashKeyId, renewed)
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'the hash of an imported key could not be renewed');
      })
      .finally(() => this.renewing.delete(keyId));
  }
}
