/**
 * The keys of trusted issuers: found by their metadata (OpenID Connect Discovery 1.0, section 4), read again
 * after ten minutes, and for a token with an unknown key at most every 30 seconds. Tokens never decide how
 * often an issuer that fails is asked: not again for ten seconds.
 */
import { DomainError } from '@gatehouse/kit/errors';
import { OutboundClient } from '@gatehouse/kit/outbound';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { allowInsecureRequests, customFetch as discoveryFetch, discovery } from 'openid-client';
import { KeyServiceConfig } from '../../config.js';
import { KeyErrors } from '../../errors.js';
import { isTrustedAddress } from '../../setting-rules.js';

const TIMEOUT_MS = 5_000;
const BYTES_MAX = 256 * 1024;
const ISSUERS_MAX = 100;
const METADATA_MS = 3_600_000;
const KEYS_MS = 600_000;
const UNKNOWN_KEY_PAUSE_MS = 30_000;
const FAILURE_PAUSE_MS = 10_000;

type Read = (url: string) => Promise<Response>;

@Injectable()
export class TrustedIssuers implements OnApplicationShutdown {
  private readonly client: OutboundClient;
  private readonly issuers = new LRUCache<string, TrustedIssuer>({
    max: ISSUERS_MAX,
    ttl: METADATA_MS,
  });

  constructor({ webhooks }: KeyServiceConfig) {
    this.client = new OutboundClient(webhooks);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }

  /**
   * Finds the key of a token.
   *
   * @param issuer of a trust rule
   * @throws JOSEError when the issuer has no such key, DomainError `unavailable` when that cannot be said
   */
  keyOf(issuer: string): JWTVerifyGetKey {
    let found = this.issuers.get(issuer);
    if (found === undefined) {
      found = new TrustedIssuer(issuer, (url) => this.read(url));
      this.issuers.set(issuer, found);
    }
    return found.keyOf;
  }

  private async read(url: string): Promise<Response> {
    const { status, headers, text, isCut } = await this.client.request({
      method: 'GET',
      url,
      timeoutMs: TIMEOUT_MS,
      bytesMax: BYTES_MAX,
      headers: { accept: 'application/json', 'user-agent': 'gatehouse' },
    });
    if (status !== 200) throw new Error(`the answer was ${status}`);
    if (isCut) throw new Error(`the answer is longer than ${BYTES_MAX} bytes`);
    return new Response(text, { headers: { 'content-type': String(headers['content-type']) } });
  }
}

class TrustedIssuer {
  private finding: Promise<JWTVerifyGetKey> | undefined;
  private pausedUntilMs = -Infinity;

  constructor(
    private readonly issuer: string,
    private readonly read: Read,
  ) {}

  readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    try {
      this.finding ??= this.discover();
      const keys = await this.finding;
      return await keys(header, token);
    } catch (error) {
      if (isFaultOfToken(error)) throw error;
      const nowMs = performance.now();
      if (nowMs >= this.pausedUntilMs) this.pausedUntilMs = nowMs + FAILURE_PAUSE_MS;
      const waitMs = this.pausedUntilMs - nowMs;
      throw new DomainError(KeyErrors.TOKEN_ISSUER_UNAVAILABLE, {
        cause: error,
        retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
      });
    }
  };

  private async discover(): Promise<JWTVerifyGetKey> {
    try {
      const url = new URL(this.issuer);
      const found = await discovery(url, 'gatehouse', undefined, undefined, {
        [discoveryFetch]: (address) => this.fetch(address),
        ...(url.protocol === 'http:' && { execute: [allowInsecureRequests] }),
      });
      const { jwks_uri: keysUrl = '' } = found.serverMetadata();
      if (!isTrustedAddress(keysUrl)) throw new Error('the metadata has no jwks_uri of https');
      return createRemoteJWKSet(new URL(keysUrl), {
        [customFetch]: (address) => this.fetch(address),
        cacheMaxAge: KEYS_MS,
        cooldownDuration: UNKNOWN_KEY_PAUSE_MS,
      });
    } catch (error) {
      this.finding = undefined;
      throw error;
    }
  }

  private async fetch(url: string): Promise<Response> {
    if (performance.now() < this.pausedUntilMs) throw new Error('the issuer failed a moment ago');
    return this.read(url);
  }
}

/** Whether the keys were read, and the token names none of them, or too many. */
function isFaultOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}
