/**
 * Finds the key of a credential by a hash that another system has made, and re-keys it: from then on it
 * is found by the keyed hash of its raw key, as any imported key.
 */
import { Inject, Injectable } from '@nestjs/common';
import { hashImportedHash, type KeyedHash, type KeyRing } from '@gatehouse/crypto';
import { LRUCache } from 'lru-cache';
import { HMAC_RING } from '../../key-rings.js';
import { digestOf, isSlow, lookupText, matches } from '../../store/hashes/foreign-hash.js';
import { HashMigrationMetrics } from './hash-migration-metrics.js';
import { HashesRepository } from '../../store/hashes/hashes.repository.js';
import { type Pending } from './pending-hashes.js';
import { SlowHashPool } from './slow-hash-pool.js';

const FALSE_MAX = 20_000;

@Injectable()
export class HashSearch {
  /** Digests of credentials that no hash belongs to, with what was pending when they were tried. */
  private readonly falseOnes = new LRUCache<string, Pending>({ max: FALSE_MAX });

  constructor(
    @Inject(HMAC_RING) private readonly ring: KeyRing,
    private readonly repository: HashesRepository,
    private readonly pool: SlowHashPool,
    private readonly metrics: HashMigrationMetrics,
  ) {}

  /** Base64 of the keyed hashes that the hashes of a raw key without salts are stored under. */
  lookupNames({ lookups }: Pending, rawKey: string): string[] {
    return lookups.flatMap(({ algorithm, fingerprint, hmacKey }) => {
      const text = lookupText(fingerprint, digestOf(algorithm, hmacKey, rawKey));
      return hashImportedHash(this.ring, text).map(({ hash }) => hash.toString('base64'));
    });
  }

  /**
   * Tries the few hashes with a prefix of the credential. The key of one that belongs to it is stored
   * under `current` then.
   *
   * @returns whether the key may be there now: another replica may have re-keyed it meanwhile
   * @throws DomainError `unavailable` when too many slow checks wait
   */
  async rekeyByPrefix(
    { text, digest }: { readonly text: string; readonly digest: string },
    pending: Pending,
    current: KeyedHash,
  ): Promise<boolean> {
    if (this.falseOnes.get(digest) === pending) return false;
    const lengths = pending.prefixLengths.filter((length) => length < text.length);
    const prefixes = lengths.map((length) => text.slice(0, length));
    const candidates = prefixes.length > 0 ? await this.repository.findByPrefixes(prefixes) : [];
    // The cheap ones first: they may spare a slow one.
    candidates.sort((a, b) => Number(isSlow(a.hash)) - Number(isSlow(b.hash)));
    for (const { keyId, prefix, hash, secretHash } of candidates) {
      const check = () => matches(hash, text);
      const isMatch = isSlow(hash) ? await this.pool.check(prefix, check) : await check();
      if (isMatch) {
        await this.rekey(keyId, secretHash, current);
        return true;
      }
    }
    this.falseOnes.set(digest, pending);
    return true;
  }

  /** Stores a key under the keyed hash of its raw key. Of several replicas, one does it. */
  async rekey(keyId: string, formerHash: string, current: KeyedHash): Promise<void> {
    const algorithm = await this.repository.rekey(keyId, formerHash, current);
    if (algorithm !== undefined) this.metrics.countRekeyed(algorithm);
  }
}
