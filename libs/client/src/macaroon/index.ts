/**
 * Restricts a macaroon without a request: appends caveats, and signs each with the signature so far
 * (Birgisson et al., 2014). The text is `mc_v1_` and the Base64url of libmacaroons' binary format V2.
 */
import { decode, encode } from 'jose/base64url';
import { addressBits, networkOf } from '../protect/addresses.js';

/** What is left of a macaroon. Each can only narrow what the macaroon allows already. */
export interface Restrictions {
  /** Only these scopes, of those that it has. */
  readonly scopes?: readonly string[];
  /** Expires then. */
  readonly expires?: Date;
  /** Only callers in this network or with this address, such as `192.0.2.0/24`. */
  readonly network?: string;
  /** Only verifications that expect one of these audiences. */
  readonly audiences?: readonly string[];
}

const PREFIX = 'mc_v1_';
const CHARACTERS_MAX = 8_192;
const CAVEATS_MAX = 32;
const VERSION = 2;
const IDENTIFIER = 2;
const END = 0;
/** The end of the caveats, the header of the signature, and the signature. */
const TRAILER_BYTES = 35;
const SIGNATURE_BYTES = 32;

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/**
 * @param macaroon as `apiKeys:derive` returns it, or as this function does
 * @returns the restricted macaroon; the given one stays valid
 * @throws TypeError if it is no macaroon, or a restriction is malformed
 * @throws RangeError over 32 caveats or 8,192 characters
 */
export async function attenuate(macaroon: string, restrictions: Restrictions): Promise<string> {
  const bytes = bytesOf(macaroon);
  const caveats = caveatsOf(restrictions).map((caveat) => encoder.encode(caveat));
  if (countCaveats(bytes) + caveats.length > CAVEATS_MAX) {
    throw new RangeError(`A macaroon has at most ${CAVEATS_MAX} caveats`);
  }
  let signature = bytes.subarray(-SIGNATURE_BYTES);
  for (const caveat of caveats) signature = await hmac(signature, caveat);
  const appended = caveats.flatMap((caveat) => [
    IDENTIFIER,
    ...lengthBytes(caveat.length),
    ...caveat,
    END,
  ]);
  const head = bytes.subarray(0, -TRAILER_BYTES);
  const trailer = bytes.subarray(-TRAILER_BYTES, -SIGNATURE_BYTES);
  const restricted =
    PREFIX + encode(Uint8Array.from([...head, ...appended, ...trailer, ...signature]));
  if (restricted.length > CHARACTERS_MAX) {
    throw new RangeError(`A macaroon has at most ${CHARACTERS_MAX} characters`);
  }
  return restricted;
}

function caveatsOf({ scopes, expires, network, audiences }: Restrictions): string[] {
  if (scopes?.some((scope) => !/^\S+$/.test(scope))) throw new TypeError('A scope has no blanks');
  if (network !== undefined && (addressBits(network) ?? networkOf(network)) === undefined) {
    throw new TypeError(`"${network}" is neither a network nor an address`);
  }
  if (expires !== undefined && Number.isNaN(expires.getTime())) {
    throw new TypeError('expires is no date');
  }
  return [
    ...(expires === undefined ? [] : [`time < ${expires.toISOString()}`]),
    ...(scopes === undefined ? [] : [`scope = ${scopes.join(' ')}`]),
    ...(network === undefined ? [] : [`ip = ${network}`]),
    ...(audiences === undefined ? [] : [`aud = ${JSON.stringify(audiences)}`]),
  ];
}

function bytesOf(macaroon: string): Bytes {
  const isBounded = macaroon.startsWith(PREFIX) && macaroon.length <= CHARACTERS_MAX;
  const bytes = new Uint8Array(isBounded ? decode(macaroon.slice(PREFIX.length)) : []);
  if (bytes[0] !== VERSION) throw notMacaroon();
  return bytes;
}

function countCaveats(bytes: Uint8Array): number {
  let count = 0;
  let offset = sectionEnd(bytes, 1);
  for (; bytes[offset] !== END; count += 1) offset = sectionEnd(bytes, offset);
  if (offset !== bytes.length - TRAILER_BYTES) throw notMacaroon();
  return count;
}

/** Skips the fields of a section (a type, a length in base 128 of up to three bytes, data) and its end. */
function sectionEnd(bytes: Uint8Array, from: number): number {
  let offset = from;
  while (bytes[offset] !== END) {
    let length = 0;
    for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
      offset += 1;
      byte = bytes[offset] ?? Number.NaN;
      if (Number.isNaN(byte) || shift > 14) throw notMacaroon();
      length |= (byte & 0x7f) << shift;
    }
    offset += 1 + length;
  }
  return offset + 1;
}

function lengthBytes(length: number): number[] {
  return length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...lengthBytes(length >> 7)];
}

async function hmac(key: Bytes, text: Bytes): Promise<Bytes> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const hmacKey = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', hmacKey, text));
}

function notMacaroon(): TypeError {
  return new TypeError('This is not a macaroon of Gatehouse, which begins with mc_v1_');
}
