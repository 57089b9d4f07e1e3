/**
 * Limits how often pages are requested, over all replicas. Without Redis nothing is limited: the pages stay
 * available, and secrets of 256 bits cannot be guessed. The limits keep lookups off the database.
 */
import { createHmac } from 'node:crypto';
import { type ClientAddresses, clientNetwork } from '@gatehouse/kit/clients';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { type Counters, type WindowCounter } from '@gatehouse/kit/exchange';
import { type FastifyRequest } from 'fastify';

/** Requests per session and minute. A page that updates itself sends 6; a person adds a few. */
export const SESSION_REQUESTS_MAX = 120;
/** Requests per client and minute with a secret that may not exist. Many people may share an address. */
export const STRANGER_REQUESTS_MAX = 300;
const WINDOW_MS = 60_000;

export interface PageLimitsContext {
  counters: Pick<Counters, 'windows'>;
  addresses: ClientAddresses;
  /** Requests of a session in a minute; SESSION_REQUESTS_MAX by default. */
  sessionRequestsMax?: number;
  /** Prefix of the counters. */
  prefix: string;
  /** Keys the hashes of client addresses: a reader of Redis could try all of IPv4 without it. */
  key: Buffer;
}

export class PageLimits {
  private readonly counter: WindowCounter;

  constructor(private readonly context: PageLimitsContext) {
    this.counter = context.counters.windows(context.prefix, 'open');
  }

  /** Counts a request of a session that exists. @throws DomainError `rate_limited` */
  countSession(id: string): Promise<void> {
    return this.count(id, this.context.sessionRequestsMax ?? SESSION_REQUESTS_MAX);
  }

  /**
   * Counts a request before its secret is looked up, or after its cookie was found to belong to no session.
   * A client whose address a proxy hides is not counted: it would share its limit with all others.
   *
   * @throws DomainError `rate_limited`
   */
  async countStranger(request: FastifyRequest): Promise<void> {
    const address = this.context.addresses.of(request);
    if (address === undefined) return;
    // Redis gets no personal data.
    const hash = createHmac('sha256', this.context.key).update(clientNetwork(address));
    const digest = hash.digest('base64url');
    await this.count(`client:${digest.slice(0, 22)}`, STRANGER_REQUESTS_MAX);
  }

  private async count(name: string, max: number): Promise<void> {
    const counted = await this.counter.count(name, WINDOW_MS);
    if (!counted || counted.count <= BigInt(max)) return;
    throw new DomainError(KitErrors.RATE_LIMITED, {
      retryAfterSeconds: Math.max(1, Math.ceil(counted.leftMs / 1000)),
    });
  }
}
