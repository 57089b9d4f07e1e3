import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { VERIFICATION_ERRORS, type VerificationErrorCode } from '@gatehouse/schemas';
import { KeyCache } from '../store/cache/key-cache.js';

/** Counts in plain numbers, which prom-client collects on each scrape. */
@Injectable()
export class VerificationMetrics {
  /** From 0 for every outcome, so that the first failure of a kind is an increase. */
  private readonly outcomes = new Map<VerificationErrorCode | undefined, { count: number }>(
    [undefined, ...VERIFICATION_ERRORS].map((error) => [error, { count: 0 }]),
  );
  private hits = 0;
  private misses = 0;

  constructor(registry: Registry, cache: KeyCache) {
    const registers = [registry];
    const { outcomes } = this;
    const reads = () => ({ hit: this.hits, miss: this.misses });
    new Counter({
      name: 'key_verifications_total',
      help: 'Verified credentials by outcome.',
      labelNames: ['outcome'] as const,
      registers,
      collect() {
        this.reset();
        for (const [error, { count }] of outcomes) this.inc({ outcome: labelOf(error) }, count);
      },
    });
    new Counter({
      name: 'key_cache_reads_total',
      help: 'Verifications that memory alone could answer (hit), and others (miss).',
      labelNames: ['result'] as const,
      registers,
      collect() {
        this.reset();
        for (const [result, count] of Object.entries(reads())) this.inc({ result }, count);
      },
    });
    new Gauge({
      name: 'key_cache_entries',
      help: 'Keys held in memory.',
      registers,
      collect() {
        this.set(cache.size);
      },
    });
  }

  countCacheRead(isHit: boolean): void {
    if (isHit) this.hits += 1;
    else this.misses += 1;
  }

  countOutcome(error: VerificationErrorCode | undefined): void {
    const counted = this.outcomes.get(error);
    if (counted) counted.count += 1;
  }
}

function labelOf(error: VerificationErrorCode | undefined): string {
  return error?.replace('VERIFICATION_ERROR_', '').toLowerCase() ?? 'valid';
}
