/**
 * Issued secrets: `<prefix>_v1_<payload>_<checksum>`.
 *
 * - payload: Base58 of the 16 bytes of the key id (a UUID) and 32 random bytes
 * - checksum: Base58 of the first 16 bytes of HMAC-SHA256 over everything before it
 *
 * A valid checksum requires an HMAC secret, so guesses are rejected without a lookup. The stored hash
 * confirms the 32 random bytes.
 */
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { base58 } from '@scure/base';
import { CryptoError } from './crypto.errors.js';
import { sha256Base64 } from './hashing.js';
import { type KeyRing } from './key-ring.js';
import { MACAROON_PREFIX } from './macaroon-codec.js';

const VERSION = 'v1';
const KEY_ID_BYTES = 16;
const RANDOM_BYTES = 32;
const CHECKSUM_BYTES = 16;
const PURPOSE = 'issued-secret-checksum';
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const PREFIX = /^[a-z][a-z0-9]{0,15}(?:_[a-z0-9]{1,15}){0,2}$/;
const SHAPE = new RegExp(`^([A-Za-z0-9_]{1,64})_${VERSION}_(${BASE58}{48,66})_(${BASE58}{16,22})$`);
const PREVIEW = new RegExp(
  `^(?:([A-Za-z0-9_]{1,64})_${VERSION}_(${BASE58}{4,24})?)?(?:…|\\.{3})(${BASE58}{4})?$`,
);
/** As long as a key id is a UUID of version 7 from the years 2005 to 2900: 2^376 <= payload < 58^65. */
const PAYLOAD_CHARACTERS = 65;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The contents of a secret with a valid checksum. */
export interface ParsedIssuedSecret {
  readonly prefix: string;
  readonly keyId: string;
}

/** An issued secret without the secret: what its verification needs. */
export interface HashedSecret {
  readonly keyId: string;
  /** Base64 of the SHA-256 of the secret. */
  readonly digest: string;
}

/** What a person has read of a secret; undefined for what is not known. */
export interface PartialSecret {
  readonly prefix: string | undefined;
  /** The first characters of the payload. */
  readonly first: string | undefined;
  readonly lastFour: string | undefined;
}

/**
 * True for a valid prefix: lower-case words joined by `_`, such as `gate_sk`, but not the prefix of
 * a macaroon.
 */
export function isSecretPrefix(text: string): boolean {
  return PREFIX.test(text) && !`${text}_${VERSION}_`.startsWith(MACAROON_PREFIX);
}

/**
 * A regular expression that finds issued secrets with these prefixes in any text. It has no
 * lookaround and no group that captures, so that every engine can use it.
 */
export function issuedSecretPattern(prefixes: readonly string[]): string {
  const words = prefixes.length === 1 ? prefixes[0] : `(?:${prefixes.join('|')})`;
  return `${words}_${VERSION}_${BASE58}{48,66}_${BASE58}{16,22}`;
}

/** True for the format of an issued secret, with any prefix and any checksum. */
export function hasIssuedSecretShape(text: string): boolean {
  return text.length <= 160 && SHAPE.test(text);
}

/**
 * The key id and the SHA-256 (Base64) of an issued secret, for a service that does not have the HMAC
 * secrets and cannot check the checksum; null for any other text.
 */
export function hashedIssuedSecret(text: string): HashedSecret | null {
  if (text.length > 160) return null;
  const payload = SHAPE.exec(text)?.[2];
  const bytes = payload === undefined ? undefined : base58.decode(payload);
  if (bytes?.length !== KEY_ID_BYTES + RANDOM_BYTES) return null;
  return { keyId: uuidText(bytes), digest: sha256Base64(text) };
}

/** The displayable part of a secret: prefix, version and the last 4 characters of the secret. */
export function previewOfIssuedSecret(secret: string): string {
  const [, prefix] = SHAPE.exec(secret) ?? [];
  if (prefix === undefined) {
    throw new CryptoError('SECRET_INVALID', 'the text is not an issued secret');
  }
  return previewPrefix(prefix) + secret.slice(-4);
}

/** What the previews of secrets with this prefix begin with. */
export function previewPrefix(prefix: string): string {
  return `${prefix}_${VERSION}_…`;
}

/** The prefix of the secret that a preview shows; '' for any other text. */
export function prefixOfPreview(preview: string): string {
  return preview.slice(0, Math.max(0, preview.indexOf(`_${VERSION}_…`)));
}

/**
 * Reads a part of a secret: a preview, such as `gate_sk_v1_…k3Zq`, its end, such as `…k3Zq` or `...k3Zq`,
 * and the first 4 to 24 characters of the payload, such as `gate_sk_v1_3mJr7A…` or `gate_sk_v1_3mJr7A…k3Zq`.
 * Null for any other text, in particular for a whole secret.
 */
export function parsePartialSecret(text: string): PartialSecret | null {
  const [, prefix, first, lastFour] = PREVIEW.exec(text) ?? [];
  return (first ?? lastFour) === undefined ? null : { prefix, first, lastFour };
}

/**
 * The first and the last of the key ids of secrets whose payload begins with these Base58 characters. All
 * ids between these two belong to such secrets; the two themselves may belong to others, too. The ids have to
 * be UUIDs of version 7 from the years 2005 to 2900, whose payloads are equally long.
 */
export function keyIdRange(characters: string): readonly [first: string, last: string] {
  const idOf = (payload: string) => {
    const bytes = Buffer.from(base58.decode(payload));
    const zeros = Buffer.alloc(KEY_ID_BYTES + RANDOM_BYTES);
    return uuidText(Buffer.concat([zeros, bytes]).subarray(-zeros.length));
  };
  return [
    idOf(characters.padEnd(PAYLOAD_CHARACTERS, '1')),
    idOf(characters.padEnd(PAYLOAD_CHARACTERS, 'z')),
  ];
}

function uuidBytes(uuid: string): Buffer {
  if (!UUID.test(uuid)) {
    throw new CryptoError('SECRET_INVALID', 'the key id is not a lower-case UUID');
  }
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, KEY_ID_BYTES).toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

/** Creates and reads issued secrets under one ring of HMAC secrets. */
export class IssuedSecretCodec {
  private readonly keys;

  constructor(ring: KeyRing) {
    this.keys = ring.forPurpose(PURPOSE).all.map(({ key }) => createSecretKey(key));
  }

  /** A new secret for a key id (lower-case UUID). Throws SECRET_INVALID for a bad prefix or id. */
  issue(prefix: string, keyId: string): string {
    if (!isSecretPrefix(prefix)) {
      throw new CryptoError('SECRET_INVALID', 'the prefix is not made of lower-case words');
    }
    const payload = base58.encode(Buffer.concat([uuidBytes(keyId), randomBytes(RANDOM_BYTES)]));
    const signed = `${prefix}_${VERSION}_${payload}`;
    return `${signed}_${base58.encode(this.checksum(0, signed))}`;
  }

  /** Reads a secret; null if its format or checksum is wrong. Never throws. */
  parse(text: string): ParsedIssuedSecret | null {
    if (text.length > 160) return null;
    const [, prefix, payload, checksum] = SHAPE.exec(text) ?? [];
    if (prefix === undefined || payload === undefined || checksum === undefined) return null;
    const claimed = base58.decode(checksum);
    if (claimed.length !== CHECKSUM_BYTES) return null;
    const signed = text.slice(0, text.length - checksum.length - 1);
    const genuine = this.keys.some((_, index) =>
      timingSafeEqual(this.checksum(index, signed), claimed),
    );
    if (!genuine) return null;
    const bytes = base58.decode(payload);
    if (bytes.length !== KEY_ID_BYTES + RANDOM_BYTES) return null;
    return { prefix, keyId: uuidText(bytes) };
  }

  private checksum(index: number, signed: string): Buffer {
    const key = this.keys[index];
    if (key === undefined) throw new CryptoError('KEY_RING_EMPTY', 'a key ring needs a secret');
    return createHmac('sha256', key).update(signed).digest().subarray(0, CHECKSUM_BYTES);
  }
}
