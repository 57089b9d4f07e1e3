import { sha256Base64 } from '@gatehouse/crypto';

/** Credentials of more bytes of UTF-8 are not read, and not made. */
export const CREDENTIAL_BYTES_MAX = 8192;

/** A credential as it was sent, with its SHA-256 in Base64, which finds it in memory. */
export interface Credential {
  readonly text: string;
  readonly digest: string;
}

export function credentialOf(text: string): Credential {
  return { text, digest: sha256Base64(text) };
}
