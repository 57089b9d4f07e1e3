import { Injectable, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { KeyServiceConfig } from '../../config.js';
import { type VerificationKey } from '../keys/verification-key.js';

export const LIMITS = { entries: 100_000, bytes: 256 * 1024 * 1024 };

const UNKNOWN_TTL_MS = 5_000;
const UNKNOWN_ENTRIES_MAX = 10_000;

type Read = () => Promise<VerificationKey | null>;

/**
 * Keys in memory, by key id and by the SHA-256 of their confirmed credential: a hit costs one
 * digest and one lookup, and equal digests confirm the secret. A read of the store is named by its
 * handle: the key id, or the current hash of an imported key, whose id is known only afterwards.
 * The age of an entry is measured with the monotonic clock, because the wall clock may be set back.
 */
@Injectable()
export class KeyCache {
  private readonly keys: LRUCache<string, VerificationKey>;
  private readonly byDigest = new Map<string, VerificationKey>();
  /** Handles of keys that the store does not have, with the time until which this entry is valid. */
  private readonly unknown = new LRUCache<string, number>({ max: UNKNOWN_ENTRIES_MAX });
  private readonly ttlMs: number;
  private readonly reads = new Map<
    string,
    { generation: number; key: Promise<VerificationKey | null> }
  >();
  /** Grows with every invalidation, so that a read that began before one is not kept. */
  private invalidations = 0;
  private readonly droppedAt = new Map<string, number>();
  private clearedAt = 0;

  constructor(
    config: KeyServiceConfig,
    @Optional() private readonly limits: typeof LIMITS = LIMITS,
  ) {
    this.ttlMs = config.cacheTtlSeconds * 1000;
    // With `max`, the places of all entries would be allocated at the start: `put` bounds their number.
    this.keys = new LRUCache<string, VerificationKey>({
      maxSize: limits.bytes,
      sizeCalculation: (key) => key.sizeBytes,
      dispose: (key) => {
        if (this.byDigest.get(key.confirmedDigest) === key) {
          this.byDigest.delete(key.confirmedDigest);
        }
      },
    });
  }

  /** The fresh key whose confirmed credential has this digest. */
  findByDigest(digest: string): VerificationKey | undefined {
    const key = this.byDigest.get(digest);
    if (key === undefined || key.freshUntilMs <= performance.now()) return undefined;
    this.keys.get(key.keyId);
    return key;
  }

  /** The fresh key with this id; null when the store is known to have none for the handle. */
  find(handle: string): VerificationKey | null | undefined {
    const nowMs = performance.now();
    const key = this.keys.get(handle);
    if (key !== undefined) return key.freshUntilMs > nowMs ? key : undefined;
    const unknownUntilMs = this.unknown.get(handle);
    return unknownUntilMs !== undefined && unknownUntilMs > nowMs ? null : undefined;
  }

  /**
   * The key from memory, otherwise from the store. Concurrent callers share one read, unless
   * something was invalidated since it began.
   */
  fetch(handle: string, read: Read): Promise<VerificationKey | null> {
    const known = this.find(handle);
    if (known !== undefined) return Promise.resolve(known);
    const { generation } = this;
    const current = this.reads.get(handle);
    if (current?.generation === generation) return current.key;
    const key = this.refresh(handle, read).finally(() => {
      if (this.reads.get(handle)?.key === key) this.reads.delete(handle);
    });
    this.reads.set(handle, { generation, key });
    return key;
  }

  /** Reads the key from the store and keeps it. */
  async refresh(handle: string, read: Read): Promise<VerificationKey | null> {
    const { generation } = this;
    const key = await read();
    this.put(handle, key, generation);
    return key;
  }

  /** Take it before a read, and pass it to `put` with the result. */
  get generation(): number {
    return this.invalidations;
  }

  /** Keeps the result of a read, unless the key was dropped since the read began. */
  put(handle: string, key: VerificationKey | null, generation: number): void {
    const keyId = key?.keyId ?? handle;
    if (this.ttlMs === 0 || this.isStale(handle, generation) || this.isStale(keyId, generation)) {
      return;
    }
    if (key === null) {
      this.keys.delete(handle);
      this.unknown.set(handle, performance.now() + Math.min(UNKNOWN_TTL_MS, this.ttlMs));
      return;
    }
    this.unknown.delete(handle);
    const former = this.keys.peek(keyId);
    key.freshUntilMs = performance.now() + this.ttlMs;
    key.useNotedAtMs = former?.useNotedAtMs ?? -Infinity;
    this.keys.set(keyId, key);
    if (this.keys.size > this.limits.entries) this.keys.pop();
    if (key.confirmedDigest !== '' && this.keys.has(keyId)) {
      this.byDigest.set(key.confirmedDigest, key);
    }
  }

  /** Remembers that the credential with this digest belongs to a key. */
  confirm(key: VerificationKey, digest: string): void {
    if (key.confirmedDigest === digest) return;
    // The hash of an issued key is this digest; one string in memory is enough.
    key.confirmedDigest = key.secretHash === digest ? key.secretHash : digest;
    if (this.keys.peek(key.keyId) === key) this.byDigest.set(key.confirmedDigest, key);
  }

  /** Drops the key of a credential that the store no longer has. */
  forget(digest: string): void {
    const key = this.byDigest.get(digest);
    if (key !== undefined) this.keys.delete(key.keyId);
  }

  /** Drops a key by its id, or by another handle the entry that no such key exists. */
  drop(handle: string): void {
    this.invalidations += 1;
    this.droppedAt.set(handle, this.invalidations);
    if (this.droppedAt.size > UNKNOWN_ENTRIES_MAX) this.forgetDrops();
    this.keys.delete(handle);
    this.unknown.delete(handle);
  }

  /** Forgets which keys do not exist: keys may have been added whose handles are unknown here. */
  clearUnknown(): void {
    this.forgetDrops();
    this.unknown.clear();
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

  /** Whether something was dropped since a read of this generation began. */
  private isStale(handle: string, generation: number): boolean {
    return this.clearedAt > generation || (this.droppedAt.get(handle) ?? 0) > generation;
  }

  /** Reads of any key that began before this count are stale. */
  private forgetDrops(): void {
    this.invalidations += 1;
    this.clearedAt = this.invalidations;
    this.droppedAt.clear();
  }
}
