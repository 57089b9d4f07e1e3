/**
 * Signatures of outgoing webhooks: Standard Webhooks 1.0 (symmetric, `v1`) and the single header of
 * Ory Polis and BoxyHQ. During a rotation both the old and the new secret sign, so a receiver may use
 * either.
 */
import { createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { CryptoError } from './crypto.errors.js';
import { hmacSha256, keyObject } from './hashing.js';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

type Body = string | Uint8Array;

/** The three headers of Standard Webhooks. */
export interface StandardWebhookHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** A secret as a key of each signature. */
export interface WebhookKeys {
  readonly standard: KeyObject;
  readonly polis: KeyObject;
}

/** Imports a secret once for many signatures. Throws as `decodeWebhookSecret`. */
export function webhookKeys(secret: string): WebhookKeys {
  return { standard: createSecretKey(decodeWebhookSecret(secret)), polis: keyObject(secret) };
}

/** A new secret: `whsec_` and the Base64 of 32 random bytes. */
export function generateWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The key bytes of a webhook secret: the Base64 after `whsec_`, or the bytes of any other text.
 * Throws WEBHOOK_SECRET_INVALID when it is empty, not printable ASCII, or not Base64 where it must be.
 */
export function decodeWebhookSecret(secret: string): Buffer {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : null;
  const key = encoded === null ? Buffer.from(secret, 'latin1') : Buffer.from(encoded, 'base64');
  if (
    key.length === 0 ||
    !PRINTABLE_ASCII.test(secret) ||
    (encoded !== null && !BASE64.test(encoded))
  ) {
    throw new CryptoError(
      'WEBHOOK_SECRET_INVALID',
      'a webhook secret is printable ASCII; after whsec_ it is Base64',
    );
  }
  return key;
}

/** The secret as every library reads it: the Base64 after `whsec_` is padded. Throws as `decodeWebhookSecret`. */
export function paddedWebhookSecret(secret: string): string {
  const key = decodeWebhookSecret(secret);
  return secret.startsWith(SECRET_PREFIX) ? SECRET_PREFIX + key.toString('base64') : secret;
}

function signed(head: string, body: Body): Buffer {
  return Buffer.concat([Buffer.from(head), typeof body === 'string' ? Buffer.from(body) : body]);
}

/**
 * Signs the exact bytes of a body by Standard Webhooks: `v1,<Base64 of HMAC-SHA256>` over
 * `id.timestamp.body`, one signature for each key, in their order.
 */
export function signStandardWebhook(message: {
  id: string;
  timestampSeconds: number;
  body: Body;
  keys: readonly WebhookKeys[];
}): StandardWebhookHeaders {
  const timestamp = String(Math.trunc(message.timestampSeconds));
  const content = signed(`${message.id}.${timestamp}.`, message.body);
  const signatures = message.keys.map(
    ({ standard }) => `v1,${hmacSha256(standard, content).toString('base64')}`,
  );
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/**
 * Checks the headers of a received Standard Webhook (names in lower case). `nowSeconds` defaults to
 * the clock; a timestamp further away than `toleranceSeconds` (default 300) is refused.
 */
export function verifyStandardWebhook(received: {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Body;
  secrets: readonly string[];
  nowSeconds?: number;
  toleranceSeconds?: number;
}): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = received.headers;
  const signature = received.headers['webhook-signature'];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') {
    return false;
  }
  const now = received.nowSeconds ?? Date.now() / 1000;
  const drift = Math.abs(now - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || drift > (received.toleranceSeconds ?? 300)) return false;
  const content = signed(`${id}.${timestamp}.`, received.body);
  const expected = received.secrets.map((secret) =>
    hmacSha256(decodeWebhookSecret(secret), content),
  );
  return signature
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice(3), 'base64'))
    .some((claimed) =>
      expected.some((own) => own.length === claimed.length && timingSafeEqual(own, claimed)),
    );
}

/**
 * The header value of Ory Polis and BoxyHQ: `t=<Unix milliseconds>,s=<hex>`, where `s` is
 * HMAC-SHA256 over `t.body` keyed with the whole text of the secret. Each further key adds
 * another `,s=<hex>`.
 */
export function signPolisWebhook(message: {
  timestampMs: number;
  body: Body;
  keys: readonly WebhookKeys[];
}): string {
  const timestamp = String(Math.trunc(message.timestampMs));
  const content = signed(`${timestamp}.`, message.body);
  const signatures = message.keys.map(
    ({ polis }) => `s=${hmacSha256(polis, content).toString('hex')}`,
  );
  return [`t=${timestamp}`, ...signatures].join(',');
}
