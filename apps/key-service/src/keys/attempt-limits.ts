import { Inject, Injectable } from '@nestjs/common';
import { hmacSha256, type KeyRing } from '@gatehouse/crypto';
import { clientNetwork } from '@gatehouse/kit/clients';
import { DomainError, type ErrorCode } from '@gatehouse/kit/errors';
import { type Exchange, type WindowCounter } from '@gatehouse/kit/exchange';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { LRUCache } from 'lru-cache';
import { KeyErrors } from '../errors.js';
import { HMAC_RING } from '../key-rings.js';

const PURPOSE = 'client-address';
const WINDOW_MS = 60_000;
/** How many attempts one client has in a window. */
const ATTEMPTS_MAX = 30;
const CLIENTS_MAX = 10_000;

/**
 * Limits the attempts of one client at what needs no other credential: without a limit, anyone could
 * find weak imported keys by guessing. Redis counts for all replicas; without it, each replica counts by
 * itself. Redis gets a keyed hash in place of the address.
 */
class AttemptLimit {
  private readonly counter: WindowCounter;
  private readonly countedHere = new LRUCache<string, { attempts: number }>({
    max: CLIENTS_MAX,
    ttl: WINDOW_MS,
  });
  /** Clients without an attempt left, each until its window ends. */
  private readonly refused = new LRUCache<string, true>({ max: CLIENTS_MAX, ttl: WINDOW_MS });

  constructor(
    private readonly ring: KeyRing,
    { counters }: Exchange,
    name: string,
    private readonly error: ErrorCode,
  ) {
    this.counter = counters.windows(`keys:${name}:`, 'each replica counts by itself');
  }

  /** @throws DomainError `rate_limited` when the client had no attempt left */
  async countAttempt(address: string): Promise<void> {
    const client = this.clientOf(address);
    const counted = await this.counter.count(client, WINDOW_MS);
    const { count, leftMs } = counted ?? this.countHere(client);
    if (count >= ATTEMPTS_MAX) this.refused.set(client, true, { ttl: Math.max(1, leftMs) });
    if (count > ATTEMPTS_MAX) throw this.limited(leftMs);
  }

  /** @throws DomainError `rate_limited` when this replica has counted the last attempt of the client */
  requireAttempt(address: string): void {
    if (this.refused.size === 0) return;
    const leftMs = this.refused.getRemainingTTL(this.clientOf(address));
    if (leftMs > 0) throw this.limited(leftMs);
  }

  private limited(leftMs: number): DomainError {
    const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000));
    return new DomainError(this.error, { retryAfterSeconds });
  }

  private clientOf(address: string): string {
    const { key } = this.ring.forPurpose(PURPOSE).current;
    return hmacSha256(key, clientNetwork(address)).toString('base64url');
  }

  private countHere(client: string): { count: number; leftMs: number } {
    const counted = this.countedHere.get(client) ?? { attempts: 0 };
    if (counted.attempts === 0) this.countedHere.set(client, counted);
    counted.attempts += 1;
    return { count: counted.attempts, leftMs: this.countedHere.getRemainingTTL(client) };
  }
}

/** Attempts to revoke a key as its holder, whatever their outcome. */
@Injectable()
export class SelfRevocationLimit extends AttemptLimit {
  constructor(@Inject(HMAC_RING) ring: KeyRing, @Inject(EXCHANGE) exchange: Exchange) {
    super(ring, exchange, 'self-revocation', KeyErrors.SELF_REVOCATION_LIMITED);
  }
}

/** Token exchanges that were refused. Those that succeed are not limited: pipelines share an address. */
@Injectable()
export class RefusedExchangeLimit extends AttemptLimit {
  constructor(@Inject(HMAC_RING) ring: KeyRing, @Inject(EXCHANGE) exchange: Exchange) {
    super(ring, exchange, 'refused-exchange', KeyErrors.EXCHANGE_LIMITED);
  }
}
