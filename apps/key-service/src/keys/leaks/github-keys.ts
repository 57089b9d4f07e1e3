/**
 * The public keys with which GitHub signs its reports, read from where it publishes them. Reports never
 * decide how often they are read: after a success not again for five minutes, after a failure for one.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { DomainError } from '@gatehouse/kit/errors';
import { isObject } from '@gatehouse/kit/input';
import { OutboundClient, type Received } from '@gatehouse/kit/outbound';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Logger } from 'pino';
import { KeyServiceConfig } from '../../config.js';
import { KeyErrors } from '../../errors.js';

const TIMEOUT_MS = 5_000;
const BYTES_MAX = 256 * 1024;
const KEYS_MAX = 100;
/** Older keys are read again, and used for so long at most if that fails. */
const FRESH_MS = 3_600_000;
const USABLE_MS = 24 * 3_600_000;
const PAUSE_MS = 300_000;
const PAUSE_AFTER_FAILURE_MS = 60_000;

@Injectable()
export class GithubKeys implements OnApplicationShutdown {
  // The address is a setting, not one that users choose.
  private readonly client = new OutboundClient({ allowPrivate: true });
  private readonly url: string | undefined;
  private keys: ReadonlyMap<string, KeyObject> = new Map();
  private reads = 0;
  private readAtMs = -Infinity;
  private nextReadAtMs = -Infinity;
  private reading: Promise<void> | undefined;

  constructor(
    { secretScanningKeysUrl }: KeyServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.url = secretScanningKeysUrl;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }

  /** Whether reports of GitHub are taken at all. */
  get isConfigured(): boolean {
    return this.url !== undefined;
  }

  /**
   * @returns undefined if GitHub has no such key
   * @throws DomainError `unavailable` if that cannot be said now
   */
  async find(id: string): Promise<KeyObject | undefined> {
    const { reads } = this;
    const isFresh = performance.now() - this.readAtMs < FRESH_MS;
    if (!isFresh || !this.keys.has(id)) await this.readOnce();
    const key = this.keys.get(id);
    const isUsable = performance.now() - this.readAtMs < USABLE_MS;
    if (key && isUsable) return key;
    if (!key && this.reads > reads) return undefined;
    const waitMs = this.nextReadAtMs - performance.now();
    throw new DomainError(KeyErrors.LEAK_REPORTER_KEYS_UNAVAILABLE, {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    });
  }

  /** Reads the keys, unless it is too early. Callers at the same time share one read. */
  private async readOnce(): Promise<void> {
    if (this.reading === undefined) {
      if (performance.now() < this.nextReadAtMs) return;
      this.reading = this.read().finally(() => {
        this.reading = undefined;
      });
    }
    await this.reading;
  }

  private async read(): Promise<void> {
    const startedAtMs = performance.now();
    this.nextReadAtMs = startedAtMs + PAUSE_AFTER_FAILURE_MS;
    try {
      const received = await this.client.request({
        method: 'GET',
        url: this.url ?? '',
        timeoutMs: TIMEOUT_MS,
        bytesMax: BYTES_MAX,
        headers: { accept: 'application/json', 'user-agent': 'gatehouse' },
      });
      this.keys = keysIn(received);
      this.reads += 1;
      this.readAtMs = performance.now();
      this.nextReadAtMs = startedAtMs + PAUSE_MS;
    } catch (error) {
      this.logger.warn({ err: error }, 'keys of secret scanning could not be read');
    }
  }
}

/** Whether a key made this signature (Base64 of DER) of a body: ECDSA with P-256 and SHA-256. */
export function isSignedBy(key: KeyObject, body: Buffer, signature: string): boolean {
  return verify('sha256', body, { key, dsaEncoding: 'der' }, Buffer.from(signature, 'base64'));
}

/** @throws Error unless the response is a list of keys */
function keysIn({ status, text, isCut }: Received): Map<string, KeyObject> {
  if (status !== 200) throw new Error(`the answer was ${status}`);
  if (isCut) throw new Error(`the answer is longer than ${BYTES_MAX} bytes`);
  const { public_keys: list } = JSON.parse(text) as { public_keys?: unknown };
  const keys = new Map<string, KeyObject>();
  for (const item of (Array.isArray(list) ? list : []).slice(0, KEYS_MAX) as unknown[]) {
    const { key_identifier: id, key: pem } = isObject(item) ? item : {};
    if (typeof id !== 'string' || typeof pem !== 'string') continue;
    const key = p256Key(pem);
    if (key) keys.set(id, key);
  }
  if (keys.size === 0) throw new Error('the answer has no P-256 key');
  return keys;
}

function p256Key(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined;
  }
}
