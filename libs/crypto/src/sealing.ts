/**
 * Encrypted texts: `s1.<key id>.<Base64url of nonce, ciphertext, tag>`, AES-256-GCM (NIST SP 800-38D)
 * with a random 96-bit nonce. The associated data contains the version, the key id and the place of
 * the text, so a text that is moved to another row cannot be decrypted.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { CryptoError } from './crypto.errors.js';
import { keyObject } from './hashing.js';
import { type KeyRing } from './key-ring.js';

const VERSION = 's1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The purpose of keys that encrypt stored secrets; messages have purposes of their own. */
const STORAGE = 'sealing';
const SHAPE = /^s1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

function associatedData(keyId: string, aad: string): Buffer {
  return Buffer.from(`${VERSION}.${keyId}.${aad}`);
}

/**
 * Encrypts a text (as UTF-8) or bytes under the first key of the ring.
 * `aad` names the place of the secret, such as `table:<id>:column`; `open` requires the same value,
 * and the same purpose, for which the key is derived.
 */
export function seal(
  ring: KeyRing,
  plaintext: string | Uint8Array,
  aad: string,
  purpose = STORAGE,
): string {
  const { id, key } = ring.forPurpose(purpose).current;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyObject(key), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(id, aad));
  const head =
    typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
  const sealed = Buffer.concat([nonce, head, cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${id}.${sealed.toString('base64url')}`;
}

/**
 * Decrypts the result of `seal`, with the key of the ring that encrypted it.
 * Throws SEALED_MALFORMED, SEALED_KEY_UNKNOWN (that key is not in the ring) or SEALED_TAMPERED
 * (altered, or sealed for another place).
 */
export function open(ring: KeyRing, sealed: string, aad: string, purpose = STORAGE): Buffer {
  const [, id, body] = SHAPE.exec(sealed) ?? [];
  const bytes = Buffer.from(body ?? '', 'base64url');
  if (id === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) {
    throw new CryptoError('SEALED_MALFORMED', 'the text is not a sealed secret');
  }
  const found = ring.forPurpose(purpose).find(id);
  if (found === undefined) {
    throw new CryptoError('SEALED_KEY_UNKNOWN', `no key ${id} in the ring opens this secret`);
  }
  const decipher = createDecipheriv(
    'aes-256-gcm',
    keyObject(found.key),
    bytes.subarray(0, NONCE_BYTES),
    {
      authTagLength: TAG_BYTES,
    },
  );
  decipher.setAAD(associatedData(id, aad));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  try {
    const head = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
    return Buffer.concat([head, decipher.final()]);
  } catch (cause) {
    throw new CryptoError('SEALED_TAMPERED', 'the sealed secret does not belong here', { cause });
  }
}

/** As `open`, for a secret that is text. */
export function openText(ring: KeyRing, sealed: string, aad: string, purpose?: string): string {
  return open(ring, sealed, aad, purpose).toString('utf8');
}

/** True if the text was not encrypted with the first key of the ring and should be re-encrypted. */
export function needsResealing(ring: KeyRing, sealed: string): boolean {
  return SHAPE.exec(sealed)?.[1] !== ring.currentId;
}
