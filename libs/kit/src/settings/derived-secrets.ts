/**
 * Secrets that are derived from GATEHOUSE_SECRET where their own settings are not set. The labels belong
 * to the data of every installation that uses it: after a change of one, stored data cannot be read.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { type KeyRing } from '@gatehouse/crypto';

/** Makes the value of a setting from the ring of GATEHOUSE_SECRET. */
export type Derivation = (ring: KeyRing) => string | string[];

/** What precedes the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410, section 7). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const VERDICTS = 'VERDICT_SIGNING_KEY';

/** The derivation of each secret, for `Env`. Services that share a secret use the same one. */
export const Derived = {
  MESSAGE_KEYS: derivedRing('MESSAGE_KEYS'),
  VERDICT_SIGNING_KEY: derivedSigningKey(VERDICTS),
  VERDICT_PUBLIC_KEYS: derivedPublicKeys(VERDICTS),
  KEYS_HMAC_SECRETS: derivedRing('key-service HMAC_SECRETS'),
  KEYS_ENCRYPTION_KEYS: derivedRing('key-service ENCRYPTION_KEYS'),
  DSYNC_ENCRYPTION_KEYS: derivedRing('dsync ENCRYPTION_KEYS'),
  FORMS_ENCRYPTION_KEYS: derivedRing('identity-forms ENCRYPTION_KEYS'),
  CONSOLE_ENCRYPTION_KEYS: derivedRing('console CONSOLE_ENCRYPTION_KEYS'),
  CONSOLE_ADMIN_KEY: derivedKey('console CONSOLE_ADMIN_KEY'),
} as const satisfies Record<string, Derivation>;

/** A ring with an entry of 43 characters for each entry of GATEHOUSE_SECRET. */
function derivedRing(label: string): (ring: KeyRing) => string[] {
  return (ring) => keysOf(ring, label).map((key) => key.toString('base64url'));
}

/** A key of 43 characters, from the current entry. */
function derivedKey(label: string): (ring: KeyRing) => string {
  return (ring) => derivedRing(label)(ring)[0] as string;
}

/** The private Ed25519 key of the current entry, as PEM (PKCS #8). */
function derivedSigningKey(label: string): (ring: KeyRing) => string {
  return (ring) => {
    const [seed] = keysOf(ring, label) as [Buffer];
    return signingKey(seed).export({ type: 'pkcs8', format: 'pem' }).toString();
  };
}

/** The public keys that belong to `derivedSigningKey` of each entry, as PEM (SPKI) in one text. */
function derivedPublicKeys(label: string): (ring: KeyRing) => string {
  return (ring) => {
    const keys = keysOf(ring, label).map((seed) => createPublicKey(signingKey(seed)));
    return keys.map((key) => key.export({ type: 'spki', format: 'pem' }).toString()).join('');
  };
}

function keysOf(ring: KeyRing, label: string): Buffer[] {
  return ring.forPurpose(`setting:${label}`).all.map(({ key }) => key);
}

function signingKey(seed: Buffer) {
  const key = Buffer.concat([ED25519_PKCS8, seed]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}
