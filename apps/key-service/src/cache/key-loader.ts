// Loads keys for verification. Loads that are asked for in one turn of the event loop become one
// statement, so a burst of misses, or a batch of 100, costs one round trip.
import { Injectable } from '@nestjs/common';
import { KeyServiceConfig } from '../config.js';
import { KeysRepository } from '../records/keys.repository.js';
import { VerificationKey } from '../records/verification-key.js';
import { KeyCache } from './key-cache.js';

const BATCH_MAX = 200;

interface Waiting {
  readonly keyId: string;
  readonly resolve: (key: VerificationKey | null) => void;
  readonly reject: (error: unknown) => void;
}

@Injectable()
export class KeyLoader {
  private readonly shared = new Map<
    string,
    { moment: number; load: Promise<VerificationKey | null> }
  >();
  private waiting: Waiting[] = [];

  constructor(
    private readonly config: KeyServiceConfig,
    private readonly keys: KeysRepository,
    private readonly cache: KeyCache,
  ) {}

  /** Reads a key from the store and keeps nothing. Null when there is none. */
  read(keyId: string): Promise<VerificationKey | null> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => this.flush());
      this.waiting.push({ keyId, resolve, reject });
    });
  }

  /** Reads a key and caches it. */
  async refresh(keyId: string): Promise<VerificationKey | null> {
    const { moment } = this.cache;
    const key = await this.read(keyId);
    this.cache.put(keyId, key, moment);
    return key;
  }

  /** As `refresh`, but many callers share one load, unless the key changed since it began. */
  load(keyId: string): Promise<VerificationKey | null> {
    const { moment } = this.cache;
    const under = this.shared.get(keyId);
    if (under?.moment === moment) return under.load;
    const load = this.refresh(keyId).finally(() => {
      if (this.shared.get(keyId)?.load === load) this.shared.delete(keyId);
    });
    this.shared.set(keyId, { moment, load });
    return load;
  }

  private flush(): void {
    const all = this.waiting;
    this.waiting = [];
    for (let from = 0; from < all.length; from += BATCH_MAX) {
      void this.readBatch(all.slice(from, from + BATCH_MAX));
    }
  }

  private async readBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const keyIds = [...new Set(batch.map(({ keyId }) => keyId))];
      const rows = await this.keys.loadForVerification(keyIds);
      const byId = new Map(rows.map((row) => [row.key_id, row]));
      for (const { keyId, resolve } of batch) {
        const row = byId.get(keyId);
        resolve(row ? new VerificationKey(row, this.config.issuer) : null);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
