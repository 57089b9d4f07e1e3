/**
 * The V2 binary format of macaroons (libmacaroons, doc/format.txt) as text: `mc_v1_` + Base64url.
 * Encoding is implemented here, because the package's `exportBinary` is wrong from four caveats on and
 * its JSON form drops a leading byte order mark. Decoding is implemented here, because sizes must be
 * checked before any cryptography runs.
 */
import { CryptoError } from './crypto.errors.js';

export const MACAROON_PREFIX = 'mc_v1_';
export const MACAROON_CAVEATS_MAX = 32;
export const MACAROON_CHARACTERS_MAX = 8_192;

const EOS = 0;
const LOCATION = 1;
const IDENTIFIER = 2;
const VERIFICATION_ID = 4;
const SIGNATURE = 6;
const VERSION = 2;
const SIGNATURE_BYTES = 32;
const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;

/** A decoded macaroon with first-party caveats only. */
export interface MacaroonParts {
  readonly location: string;
  readonly identifier: Uint8Array;
  /** Conditions, in the order in which they were added. */
  readonly caveats: readonly Uint8Array[];
  readonly signature: Uint8Array;
}

function malformed(): CryptoError {
  return new CryptoError('MACAROON_MALFORMED', 'the text is not a macaroon of version 2');
}

function uvarint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
}

function field(type: number, data: Uint8Array): Uint8Array[] {
  return [Uint8Array.from([type, ...uvarint(data.length)]), data];
}

/**
 * Encodes a macaroon as text. Throws MACAROON_TOO_MANY_CAVEATS over 32 caveats and
 * MACAROON_TOO_LARGE over 8,192 characters.
 */
export function encodeMacaroon(parts: MacaroonParts): string {
  if (parts.caveats.length > MACAROON_CAVEATS_MAX) {
    throw new CryptoError('MACAROON_TOO_MANY_CAVEATS', `more than ${MACAROON_CAVEATS_MAX} caveats`);
  }
  const end = Uint8Array.of(EOS);
  const binary = Buffer.concat([
    Uint8Array.of(VERSION),
    ...(parts.location === '' ? [] : field(LOCATION, Buffer.from(parts.location))),
    ...field(IDENTIFIER, parts.identifier),
    end,
    ...parts.caveats.flatMap((caveat) => [...field(IDENTIFIER, caveat), end]),
    end,
    ...field(SIGNATURE, parts.signature),
  ]);
  const text = MACAROON_PREFIX + binary.toString('base64url');
  if (text.length > MACAROON_CHARACTERS_MAX) {
    throw new CryptoError('MACAROON_TOO_LARGE', `over ${MACAROON_CHARACTERS_MAX} characters`);
  }
  return text;
}

class FieldReader {
  private offset = 1;

  constructor(private readonly bytes: Uint8Array) {
    if (bytes[0] !== VERSION) throw malformed();
  }

  get atEnd(): boolean {
    return this.offset === this.bytes.length;
  }

  nextIs(type: number): boolean {
    return this.bytes[this.offset] === type;
  }

  end(): void {
    if (!this.nextIs(EOS)) throw malformed();
    this.offset += 1;
  }

  read(type: number): Uint8Array {
    if (!this.nextIs(type)) throw malformed();
    this.offset += 1;
    const length = this.length();
    const from = this.offset;
    this.offset += length;
    if (this.offset > this.bytes.length) throw malformed();
    return this.bytes.subarray(from, this.offset);
  }

  /** A base-128 length of at most three bytes, in its shortest form. */
  private length(): number {
    let value = 0;
    for (let index = 0; index < 3; index += 1) {
      const byte = this.bytes[this.offset];
      if (byte === undefined) throw malformed();
      this.offset += 1;
      value |= (byte & 0x7f) << (7 * index);
      if (byte < 0x80) {
        if (byte === 0 && index > 0) throw malformed();
        return value;
      }
    }
    throw malformed();
  }
}

/** The V2 binary form inside the text. Throws MACAROON_TOO_LARGE or MACAROON_MALFORMED. */
export function macaroonBinary(text: string): Buffer {
  if (text.length > MACAROON_CHARACTERS_MAX) {
    throw new CryptoError('MACAROON_TOO_LARGE', `over ${MACAROON_CHARACTERS_MAX} characters`);
  }
  const body = text.slice(MACAROON_PREFIX.length);
  if (!text.startsWith(MACAROON_PREFIX) || !BASE64URL.test(body)) throw malformed();
  const binary = Buffer.from(body, 'base64url');
  const written = binary.toString('base64url');
  // Some libraries pad (RFC 4648, section 5).
  const padded = written.padEnd(Math.ceil(written.length / 4) * 4, '=');
  if (body !== written && body !== padded) throw malformed();
  return binary;
}

/**
 * Decodes a macaroon without checking its signature.
 * Throws MACAROON_MALFORMED (also for third-party caveats, which are not supported),
 * MACAROON_TOO_LARGE or MACAROON_TOO_MANY_CAVEATS.
 */
export function decodeMacaroon(text: string): MacaroonParts {
  const reader = new FieldReader(macaroonBinary(text));
  const location = reader.nextIs(LOCATION) ? reader.read(LOCATION) : new Uint8Array();
  const identifier = reader.read(IDENTIFIER);
  reader.end();
  const caveats: Uint8Array[] = [];
  while (!reader.nextIs(EOS)) {
    if (caveats.length === MACAROON_CAVEATS_MAX) {
      throw new CryptoError(
        'MACAROON_TOO_MANY_CAVEATS',
        `more than ${MACAROON_CAVEATS_MAX} caveats`,
      );
    }
    if (reader.nextIs(LOCATION)) throw malformed();
    caveats.push(reader.read(IDENTIFIER));
    if (reader.nextIs(VERIFICATION_ID)) throw malformed();
    reader.end();
  }
  reader.end();
  const signature = reader.read(SIGNATURE);
  if (!reader.atEnd || signature.length !== SIGNATURE_BYTES) throw malformed();
  return { location: Buffer.from(location).toString('utf8'), identifier, caveats, signature };
}
