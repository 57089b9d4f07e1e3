import { Inject, Injectable } from '@nestjs/common';
import { type KeyedHash } from '@gatehouse/crypto';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type Logger } from 'pino';
import { HashSearch } from '../imported-hashes/hash-search.js';
import { type VerificationKey } from '../../store/keys/verification-key.js';

const RENEWALS_MAX = 100;

/**
 * Renews the hash that an imported key is found by, after a rotation of HMAC_SECRETS or an import by a
 * hash of another system. The hash is keyed with the secret and only the raw key can renew it, so the
 * first verification does that in the background. Over time, no stored hash depends on the old secret
 * or system.
 */
@Injectable()
export class ImportedHashRenewal {
  private readonly renewing = new Set<string>();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly hashSearch: HashSearch,
  ) {}

  /** Stores the key under its current hash if it has another one. Does not block. */
  renew({ keyId, hashKeyId, secretHash }: VerificationKey, current: KeyedHash): void {
    if (hashKeyId === null || secretHash === current.hash.toString('base64')) return;
    if (this.renewing.has(keyId) || this.renewing.size >= RENEWALS_MAX) return;
    this.renewing.add(keyId);
    this.hashSearch
      .rekey(keyId, secretHash, current)
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'the hash of an imported key could not be renewed');
      })
      .finally(() => this.renewing.delete(keyId));
  }
}
