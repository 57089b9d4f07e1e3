/**
 * A key ring is an ordered list of secrets. The first one signs and encrypts; all of them verify and
 * decrypt. To rotate a secret, add the new one in front and remove the old one when nothing that was
 * signed or encrypted with it is in use. Secrets are not used as keys directly: HKDF-SHA256 (RFC 5869)
 * derives 32 bytes for each purpose, so a leaked derived key affects one purpose only.
 */
import { hkdfSync } from 'node:crypto';
import { CryptoError } from './crypto.errors.js';

const SECRET_CHARACTERS_MIN = 32;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;

/** One key of a ring for one purpose. `id` may be stored and logged, `key` may not. */
export interface PurposeKey {
  readonly id: string;
  readonly key: Buffer;
}

/** The keys of a ring for one purpose, the current one first. */
export interface PurposeKeys {
  readonly current: PurposeKey;
  readonly all: readonly PurposeKey[];
  find(id: string): PurposeKey | undefined;
}

function hkdf(secret: string, label: string, byteLength: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'gatehouse', label, byteLength));
}

export class KeyRing {
  private readonly purposes = new Map<string, PurposeKeys>();

  private constructor(
    private readonly secrets: readonly string[],
    /** Public names of the keys in the order of the ring, 8 hexadecimal characters each. */
    readonly ids: readonly string[],
  ) {}

  /**
   * Creates a ring from secrets, the current one first.
   * Throws KEY_RING_EMPTY, KEY_TOO_SHORT (under 32 characters) or KEY_DOUBLED.
   */
  static fromTexts(texts: readonly string[]): KeyRing {
    if (texts.length === 0) throw new CryptoError('KEY_RING_EMPTY', 'a key ring needs a secret');
    const short = texts.findIndex((text) => text.length < SECRET_CHARACTERS_MIN);
    if (short !== -1) {
      throw new CryptoError(
        'KEY_TOO_SHORT',
        `secret ${short + 1} of the ring is shorter than ${SECRET_CHARACTERS_MIN} characters`,
      );
    }
    const ids = texts.map((text) => hkdf(text, 'key-id', KEY_ID_BYTES).toString('hex'));
    if (new Set(ids).size !== ids.length) {
      throw new CryptoError('KEY_DOUBLED', 'the ring holds the same secret twice');
    }
    return new KeyRing([...texts], ids);
  }

  /** The public name of the key that signs and seals. */
  get currentId(): string {
    return this.ids[0] as string;
  }

  /** The derived keys for a purpose, such as `issued-secret-checksum`; always the same object. */
  forPurpose(purpose: string): PurposeKeys {
    let keys = this.purposes.get(purpose);
    if (keys === undefined) {
      const all = this.secrets.map((secret, index) => ({
        id: this.ids[index] as string,
        key: hkdf(secret, `key:${purpose}`, KEY_BYTES),
      }));
      keys = {
        current: all[0] as PurposeKey,
        all,
        find: (id) => all.find((candidate) => candidate.id === id),
      };
      this.purposes.set(purpose, keys);
    }
    return keys;
  }

  /** Keeps secrets out of logs and JSON. */
  toJSON(): string {
    return '[secret]';
  }
}
