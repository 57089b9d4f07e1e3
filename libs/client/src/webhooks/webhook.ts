import { bodyBehind, headerOf, type ReceivedRequest } from './request-body.js';
import { WebhookError } from './webhook-error.js';

/** An event of any service; docs/events.md lists the types and their fields. */
export interface WebhookEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The same for every delivery of this event. */
  readonly id: string;
  /** Ascending in the log of the service, with gaps. */
  readonly sequence: number;
  readonly created_at: string;
}

export interface WebhookOptions {
  /** The largest body that is read; 16 MiB by default. */
  readonly bytesMax?: number;
}

/** A secret, or several while one replaces another. Undefined ones are ignored. */
export type WebhookSecrets = string | readonly (string | undefined)[];

const BYTES_MAX = 16 * 1024 * 1024;
const TOLERANCE_SECONDS = 300;
/** Each costs one HMAC of the body, and two are sent while a secret is rotated. */
const SIGNATURES_MAX = 4;
const PREFIX = 'whsec_';

/**
 * Verifies a webhook by Standard Webhooks 1.0 (symmetric signatures, `v1`).
 *
 * @param secrets printable text; after `whsec_`, the Base64 of the key
 * @returns its events, one or a batch, in order; none for a ping, which only wants a 2xx
 * @throws WebhookError with the status to respond with
 * @throws TypeError without a secret, for an invalid one, or if the body was parsed
 */
export async function webhook<Event = WebhookEvent>(
  request: ReceivedRequest,
  secrets: WebhookSecrets,
  options: WebhookOptions = {},
): Promise<Event[]> {
  const body = new TextDecoder().decode(await verifiedBody(request, secrets, options));
  try {
    const events = [JSON.parse(body)].flat() as (Event & { event: string })[];
    return events.filter(({ event }) => event !== 'webhook.ping');
  } catch (error) {
    throw new WebhookError(400, `The body is not an event: ${(error as Error).message}`);
  }
}

/**
 * The body of a webhook whose signature is valid and at most five minutes from the clock.
 *
 * @throws as `webhook`
 */
export async function verifiedBody(
  request: ReceivedRequest,
  secrets: WebhookSecrets,
  { bytesMax = BYTES_MAX }: WebhookOptions = {},
): Promise<Uint8Array> {
  const keys = await Promise.all([secrets].flat().filter(isGiven).map(keyOf));
  if (keys.length === 0) throw new TypeError('The secret of the webhook is missing');
  const id = headerOf(request, 'webhook-id');
  const timestamp = headerOf(request, 'webhook-timestamp');
  const signatures = signaturesOf(headerOf(request, 'webhook-signature') ?? '');
  // Refused before the body is read, so that strangers cost little.
  if (!id || !timestamp || signatures.length === 0) {
    throw new WebhookError(401, 'The webhook is not signed');
  }
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= TOLERANCE_SECONDS)) {
    throw new WebhookError(401, 'The webhook is not from the last five minutes by our clock');
  }
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = await bodyBehind(head, request, bytesMax);
  for (const key of keys) {
    for (const signature of signatures) {
      // In constant time.
      const isValid = await crypto.subtle.verify('HMAC', key, signature, content);
      if (isValid) return content.subarray(head.length);
    }
  }
  throw new WebhookError(401, 'The signature of the webhook is not valid');
}

function isGiven(secret: string | undefined): secret is string {
  return secret !== undefined && secret !== '';
}

/** @throws TypeError */
function keyOf(secret: string) {
  const bytes = secret.startsWith(PREFIX)
    ? bytesOf(secret.slice(PREFIX.length))
    : new TextEncoder().encode(secret);
  if (!bytes?.length) throw new TypeError('The secret of the webhook has no Base64 after whsec_');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

function signaturesOf(header: string): Uint8Array<ArrayBuffer>[] {
  return header
    .split(' ')
    .filter((text) => text.startsWith('v1,'))
    .slice(0, SIGNATURES_MAX)
    .map((text) => bytesOf(text.slice('v1,'.length)))
    .filter((bytes) => bytes !== undefined);
}

/** Undefined for text that is not Base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
