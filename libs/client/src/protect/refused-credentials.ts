/**
 * Remembers for some seconds the refusals that depend on the credential alone, so that garbage reaches
 * Gatehouse once. The time is short because keys can be undeleted and imported. Refusals for other reasons
 * are not kept: scopes and audiences differ by route, addresses by request, and pauses, limits and credits
 * may change at any moment. Gatehouse repeats refusals of limits from memory itself.
 */
import { type Reason } from './refusal.js';

const LIFETIME_MS = 5_000;
const CREDENTIALS_MAX = 1_000;

const encoder = new TextEncoder();

export class RefusedCredentials {
  /** By digest, the oldest first. */
  private readonly refused = new Map<string, { reason: Reason; untilMs: number }>();

  /** Valid credentials are not even hashed while none has been refused. */
  async find(url: string, credential: string): Promise<Reason | undefined> {
    this.forgetExpired();
    if (this.refused.size === 0) return undefined;
    return this.refused.get(await digestOf(url, credential))?.reason;
  }

  async add(url: string, credential: string, reason: Reason): Promise<void> {
    const digest = await digestOf(url, credential);
    this.refused.delete(digest);
    this.refused.set(digest, { reason, untilMs: performance.now() + LIFETIME_MS });
    const [oldest] = this.refused.keys();
    if (this.refused.size > CREDENTIALS_MAX && oldest !== undefined) this.refused.delete(oldest);
  }

  private forgetExpired(): void {
    const nowMs = performance.now();
    for (const [digest, { untilMs }] of this.refused) {
      if (untilMs > nowMs) return;
      this.refused.delete(digest);
    }
  }
}

/** 32 characters of one byte each, so that no credential is kept in memory. */
async function digestOf(url: string, credential: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(`${url}\n${credential}`));
  return String.fromCharCode(...new Uint8Array(digest));
}
