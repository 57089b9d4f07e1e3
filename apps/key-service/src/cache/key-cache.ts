// Keys in memory, by key id, and found by the SHA-256 of their confirmed credential as well: a hit
// costs one digest and one look-up, and equal digests are the confirmation of the secret.
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { KeyServiceConfig } from '../config.js';
import type { VerificationKey } from '../records/verification-key.js';

const UNKNOWN_TTL_MS = 5_000;
const UNKNOWN_ENTRIES_MAX = 10_000;

@Injectable()
export class KeyCache {
  private readonly keys: LRUCache<string, VerificationKey>;
  private readonly byDigest = new Map<string, VerificationKey>();
  /** Key ids that the store does not have, with the time until which that is believed. */
  private readonly unknown = new LRUCache<string, number>({ max: UNKNOWN_ENTRIES_MAX });
  private readonly ttlMs: number;
  /** Grows with every invalidation, so that a load which began before one is not kept. */
  private generation = 0;
  private readonly droppedAt = new Map<string, number>();
  private clearedAt = 0;

  constructor(config: KeyServiceConfig) {
    this.ttlMs = config.cacheTtlSeconds * 1000;
    this.keys = new LRUCache<string, VerificationKey>({
      max: config.cacheEntriesMax,
      maxSize: config.cacheBytesMax,
      sizeCalculation: (key) => key.sizeBytes,
      dispose: (key) => {
        if (this.byDigest.get(key.confirmedDigest) === key) {
          this.byDigest.delete(key.confirmedDigest);
        }
      },
    });
  }

  /** The fresh key whose confirmed credential has this digest. */
  findByDigest(digest: string, nowMs: number): VerificationKey | undefined {
    const key = this.byDigest.get(digest);
    if (key === undefined || key.freshUntilMs <= nowMs) return undefined;
    this.keys.get(key.keyId);
    return key;
  }

  /** The fresh key with this id; null when it is known that there is none. */
  find(keyId: string, nowMs: number): VerificationKey | null | undefined {
    const key = this.keys.get(keyId);
    if (key !== undefined) return key.freshUntilMs > nowMs ? key : undefined;
    const unknownUntilMs = this.unknown.get(keyId);
    return unknownUntilMs !== undefined && unknownUntilMs > nowMs ? null : undefined;
  }

  /** To be taken before a load and given to `put` with its result. */
  get moment(): number {
    return this.generation;
  }

  /** Keeps what a load found, unless the key was dropped since the load began. */
  put(keyId: string, key: VerificationKey | null, moment: number): void {
    const isStale = this.clearedAt > moment || (this.droppedAt.get(keyId) ?? 0) > moment;
    if (this.ttlMs === 0 || isStale) return;
    if (key === null) {
      this.keys.delete(keyId);
      this.unknown.set(keyId, Date.now() + Math.min(UNKNOWN_TTL_MS, this.ttlMs));
      return;
    }
    this.unknown.delete(keyId);
    const former = this.keys.peek(keyId);
    key.freshUntilMs = Date.now() + this.ttlMs;
    key.useNotedAtMs = former?.useNotedAtMs ?? 0;
    this.keys.set(keyId, key);
    if (key.confirmedDigest !== '' && this.keys.has(keyId))
      this.byDigest.set(key.confirmedDigest, key);
  }

  /** Remembers that a credential with this digest belongs to a key. */
  confirm(key: VerificationKey, digest: string): void {
    if (key.confirmedDigest === digest) return;
    key.confirmedDigest = digest;
    if (this.keys.peek(key.keyId) === key) this.byDigest.set(digest, key);
  }

  drop(keyId: string): void {
    this.generation += 1;
    this.droppedAt.set(keyId, this.generation);
    if (this.droppedAt.size > UNKNOWN_ENTRIES_MAX) this.forgetDrops();
    this.keys.delete(keyId);
    this.unknown.delete(keyId);
  }

  clear(): void {
    this.forgetDrops();
    this.keys.clear();
    this.byDigest.clear();
    this.unknown.clear();
  }

  /** Number of keys held, for metrics. */
  get size(): number {
    return this.keys.size;
  }

  /** Loads that are under way count as begun before every drop that is forgotten here. */
  private forgetDrops(): void {
    this.generation += 1;
    this.clearedAt = this.generation;
    this.droppedAt.clear();
  }
}
