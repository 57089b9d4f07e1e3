/** A credential that was found where it should not be. */
import { sha256 } from '@gatehouse/crypto';

/** Receivers hear of each place of a key once, and of at most this many places of a key. */
export const PLACES_MAX = 100;

export interface LeakReport {
  readonly credential: string;
  /** Where it was found; '' if that is unknown. */
  readonly url: string;
  /** The kind of the place, such as `commit`; '' if that is unknown. */
  readonly source: string;
}

export interface Place {
  readonly url: string;
  readonly source: string;
  /** The same for the same place. */
  readonly hash: string;
}

/** Any secret of an issued key behind its prefix. It begins with a fixed text, so it takes linear time. */
const SECRETS = /_v1_[1-9A-HJ-NP-Za-km-z]{16,}_[1-9A-HJ-NP-Za-km-z]{16,}/g;
/** A user name and password in an address, which may be those of the scanner, as clients read it. */
const USER_INFO = /^(\s*(?:https?:[\\/]{0,8}|[a-z][a-z0-9+.-]*:\/\/))[^/?#]*@/i;
/** Addresses within addresses are encoded again. */
const DECODINGS_MAX = 3;
const HASH_BYTES = 16;

/** The place that a report names, without credentials: an address may contain some. */
export function placeOf({ credential, url, source }: LeakReport): Place {
  const place = {
    url: withoutSecrets(url.replace(USER_INFO, '$1'), credential),
    source: withoutSecrets(source, credential),
  };
  const hash = sha256(JSON.stringify([place.source, place.url]));
  return { ...place, hash: hash.subarray(0, HASH_BYTES).toString('base64url') };
}

function withoutSecrets(text: string, credential: string): string {
  const shown = text.replaceAll(credential, '…').replaceAll(SECRETS, '…');
  // Written in another way, such as percent-encoded: nothing of it is shown.
  let decoded = shown;
  for (let round = 0; round < DECODINGS_MAX; round += 1) {
    decoded = decodedText(decoded);
    if (decoded.includes(credential) || decoded.search(SECRETS) !== -1) return '';
  }
  return shown;
}

function decodedText(text: string): string {
  return text.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  );
}
