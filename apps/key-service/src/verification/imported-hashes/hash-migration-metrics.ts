import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { type HashAlgorithm } from '../../store/hashes/hash.types.js';
import { algorithmName } from '../../store/hashes/foreign-hash.js';
import { type HashCounts } from '../../store/hashes/hashes.repository.js';

@Injectable()
export class HashMigrationMetrics {
  private readonly rekeyed: Counter<'algorithm'>;
  private readonly keys: Gauge<'algorithm' | 'state'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.rekeyed = new Counter({
      name: 'key_imported_hashes_rekeyed_total',
      help: 'Keys that were imported by a hash and are stored in the own format since their first use.',
      labelNames: ['algorithm'] as const,
      registers,
    });
    this.keys = new Gauge({
      name: 'key_imported_hashes',
      help: 'Keys that were imported by a hash, by algorithm and outcome.',
      labelNames: ['algorithm', 'state'] as const,
      registers,
    });
  }

  countRekeyed(algorithm: HashAlgorithm): void {
    this.rekeyed.inc({ algorithm: algorithmName(algorithm) });
  }

  set(counts: readonly HashCounts[]): void {
    this.keys.reset();
    for (const { algorithm, rekeyed, pending, ended, dropped } of counts) {
      for (const [state, count] of Object.entries({ rekeyed, pending, ended, dropped })) {
        this.keys.set({ algorithm: algorithmName(algorithm), state }, count);
      }
    }
  }
}
