import { Inject, Injectable } from '@nestjs/common';
import { hmacSha256, type KeyRing } from '@gatehouse/crypto';
import { clientNetwork } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { type Exchange, type WindowCounter } from '@gatehouse/kit/exchange';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { LRUCache } from 'lru-cache';
import { KeyErrors } from '../../errors.js';
import { HMAC_RING } from '../../key-rings.js';

const PURPOSE = 'client-address';
const WINDOW_MS = 60_000;
/** How often one client may try to revoke a key as its holder in a window. */
const ATTEMPTS_MAX = 30;
const CLIENTS_MAX = 10_000;

/**
 * Limits the attempts of one client at self-revocation, which needs no credential: without a limit,
 * anyone could find weak imported keys by guessing, and revoke them. Redis counts for all replicas;
 * without it, each replica counts by itself. Redis gets a keyed hash in place of the address.
 */
@Injectable()
export class SelfRevocationLimit {
  private readonly counter: WindowCounter;
  private readonly countedHere = new LRUCache<string, { attempts: number }>({
    max: CLIENTS_MAX,
    ttl: WINDOW_MS,
  });

  constructor(
    @Inject(HMAC_RING) private readonly ring: KeyRing,
    @Inject(EXCHANGE) { counters }: Exchange,
  ) {
    this.counter = counters.windows('keys:self-revocation:', 'each replica counts by itself');
  }

  /** @throws DomainError `rate_limited` when the client has no attempt left */
  async countAttempt(address: string): Promise<void> {
    const { key } = this.ring.forPurpose(PURPOSE).current;
    const client = hmacSha256(key, clientNetwork(address)).toString('base64url');
    const counted = await this.counter.count(client, WINDOW_MS);
    const { count, leftMs } = counted ?? this.countHere(client);
    if (count <= ATTEMPTS_MAX) return;
    throw new DomainError(KeyErrors.SELF_REVOCATION_LIMITED, {
      retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    });
  }

  private countHere(client: string): { count: number; leftMs: number } {
    const counted = this.countedHere.get(client) ?? { attempts: 0 };
    if (counted.attempts === 0) this.countedHere.set(client, counted);
    counted.attempts += 1;
    return { count: counted.attempts, leftMs: this.countedHere.getRemainingTTL(client) };
  }
}
