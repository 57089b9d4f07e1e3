import { Injectable } from '@nestjs/common';
import { KeyServiceConfig } from '../../config.js';
import { CacheInvalidation } from '../../store/cache/cache-invalidation.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { type TrustRule } from '../../store/keys/trust.types.js';

/**
 * The live trust rules, in the order in which they are tried. They are kept as keys are: for CACHE_TTL, or until
 * a replica changes one. Whether one is paused is a matter of its key.
 */
@Injectable()
export class TrustRules {
  private rules: Promise<readonly TrustRule[]> | undefined;
  private readAtMs = 0;
  private readonly ttlMs: number;

  constructor(
    { cacheTtlSeconds }: KeyServiceConfig,
    private readonly keys: KeysRepository,
    invalidation: CacheInvalidation,
  ) {
    this.ttlMs = cacheTtlSeconds * 1_000;
    // A read that began before the change ends for those who wait for it.
    invalidation.whenTrustRulesChange(() => (this.rules = undefined));
  }

  /** Callers at the same time share a read. */
  current(): Promise<readonly TrustRule[]> {
    if (this.rules !== undefined && performance.now() - this.readAtMs < this.ttlMs) {
      return this.rules;
    }
    const reading = this.keys.listTrustRules();
    this.rules = reading;
    this.readAtMs = performance.now();
    reading.catch(() => {
      if (this.rules === reading) this.rules = undefined;
    });
    return reading;
  }
}
