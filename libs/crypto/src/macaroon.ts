/**
 * Macaroons (Birgisson et al., 2014): bearer tokens that a holder can restrict offline by adding
 * caveats. The npm package `macaroon` signs and verifies; the text format is our own.
 */
import { CryptoError } from './crypto.errors.js';
import { decodeMacaroon, encodeMacaroon, macaroonBinary } from './macaroon-codec.js';
import { importMacaroon, type Macaroon, newMacaroon } from './macaroon-package.js';

/** The contents of a macaroon as text. */
export interface MacaroonContent {
  readonly location: string;
  readonly identifier: string;
  readonly caveats: readonly string[];
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function toText(macaroon: Macaroon): string {
  return encodeMacaroon({
    location: macaroon.location ?? '',
    identifier: macaroon.identifier,
    caveats: macaroon.caveats.map((caveat) => caveat.identifier),
    signature: macaroon.signature,
  });
}

/** Creates a macaroon under a root key (32 bytes) with first-party caveats. */
export function mintMacaroon(content: MacaroonContent, rootKey: Uint8Array): string {
  const macaroon = newMacaroon({
    location: content.location,
    identifier: Buffer.from(content.identifier),
    rootKey,
    version: 2,
  });
  content.caveats.forEach((caveat) => macaroon.addFirstPartyCaveat(caveat));
  return toText(macaroon);
}

/** Adds caveats as a holder would, without the root key. Throws as `readMacaroon` does. */
export function attenuateMacaroon(token: string, caveats: readonly string[]): string {
  decodeMacaroon(token);
  const macaroon = importMacaroon(macaroonBinary(token));
  caveats.forEach((caveat) => macaroon.addFirstPartyCaveat(caveat));
  return toText(macaroon);
}

/**
 * Reads a macaroon without checking its signature, to find its root key.
 * Throws MACAROON_MALFORMED, MACAROON_TOO_LARGE or MACAROON_TOO_MANY_CAVEATS.
 */
export function readMacaroon(token: string): MacaroonContent {
  const parts = decodeMacaroon(token);
  try {
    return {
      location: parts.location,
      identifier: utf8.decode(parts.identifier),
      caveats: parts.caveats.map((caveat) => utf8.decode(caveat)),
    };
  } catch (cause) {
    throw new CryptoError('MACAROON_MALFORMED', 'a caveat is not UTF-8', { cause });
  }
}

/**
 * Verifies the signature chain of a macaroon. Call this before you evaluate its caveats, because they
 * are not authenticated until then. Throws MACAROON_SIGNATURE_INVALID.
 */
export function checkMacaroonSignature(token: string, rootKey: Uint8Array): void {
  try {
    importMacaroon(macaroonBinary(token)).verify(rootKey, () => null);
  } catch (cause) {
    throw new CryptoError('MACAROON_SIGNATURE_INVALID', 'the signature does not hold', { cause });
  }
}
