/**
 * Limits of one client, in this process alone: its rate, its rate without a credential, and its requests
 * at the same time. The rates follow GCRA, which needs one number for each client and rate. Clients that
 * were not seen for the longest time are forgotten first.
 */
import { LRUCache } from 'lru-cache';

interface Rate {
  readonly perSecond: number;
  /** Requests beyond the rate that may come at once. */
  readonly burst: number;
}

const REQUESTS: Rate = { perSecond: 500, burst: 1_000 };
const ANONYMOUS_REQUESTS: Rate = { perSecond: 20, burst: 100 };
const OPEN_REQUESTS_MAX = 256;
const CLIENTS_MAX = 80_000;

interface Client {
  /** Until when the requests so far use up each rate. */
  usedUntilMs: number;
  anonymousUsedUntilMs: number;
  openRequests: number;
}

export class ClientLimits {
  private readonly clients = new LRUCache<string, Client>({ max: CLIENTS_MAX });

  /** @param nowMs a monotonic clock */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /**
   * Counts a request. One that is refused does not count.
   *
   * @param address or network of the client
   * @returns what to call once when the request has ended; undefined if it must be refused
   */
  admit(address: string, isAnonymous: boolean): (() => void) | undefined {
    const nowMs = this.nowMs();
    const client = this.clients.get(address) ?? newClient();
    const usedUntilMs = next(REQUESTS, client.usedUntilMs, nowMs);
    const anonymousUsedUntilMs = isAnonymous
      ? next(ANONYMOUS_REQUESTS, client.anonymousUsedUntilMs, nowMs)
      : client.anonymousUsedUntilMs;
    const isFull = client.openRequests >= OPEN_REQUESTS_MAX;
    if (isFull || usedUntilMs === undefined || anonymousUsedUntilMs === undefined) return undefined;
    client.usedUntilMs = usedUntilMs;
    client.anonymousUsedUntilMs = anonymousUsedUntilMs;
    client.openRequests += 1;
    this.clients.set(address, client);
    return () => (client.openRequests -= 1);
  }
}

const newClient = (): Client => ({ usedUntilMs: 0, anonymousUsedUntilMs: 0, openRequests: 0 });

/** Until when the rate is used up with one more request; undefined if that is beyond the burst. */
function next({ perSecond, burst }: Rate, usedUntilMs: number, nowMs: number): number | undefined {
  const intervalMs = 1_000 / perSecond;
  const aheadMs = Math.max(0, usedUntilMs - nowMs);
  return aheadMs > burst * intervalMs ? undefined : nowMs + aheadMs + intervalMs;
}
