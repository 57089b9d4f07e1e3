// The stored hash of an imported key is keyed with an HMAC secret, and only the raw key can key it
// anew. So the first verification after a rotation does that, in the background: by and by the old
// secret is needed by nothing any more.
import { Inject, Injectable } from '@nestjs/common';
import { hashImportedKey, type KeyRing } from '@gatehouse/crypto';
import { LOGGER } from '@gatehouse/service-kit';
import type { Logger } from 'pino';
import { HMAC_RING } from '../key-rings.js';
import { KeysRepository } from '../records/keys.repository.js';

const UNDER_WAY_MAX = 100;

@Injectable()
export class ImportedHashRenewal {
  private readonly underWay = new Set<string>();

  constructor(
    @Inject(HMAC_RING) private readonly ring: KeyRing,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly keys: KeysRepository,
  ) {}

  /** Keys the hash with the secret in use, unless it is; returns at once. */
  renew(keyId: string, rawKey: string, hashKeyId: string): void {
    if (hashKeyId === this.ring.currentId || this.underWay.has(keyId)) return;
    if (this.underWay.size >= UNDER_WAY_MAX) return;
    this.underWay.add(keyId);
    const renewed = hashImportedKey(this.ring, keyId, rawKey);
    this.keys
      .rehash(keyId, hashKeyId, renewed)
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'the hash of an imported key could not be renewed');
      })
      .finally(() => this.underWay.delete(keyId));
  }
}
