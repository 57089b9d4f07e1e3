import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { KeyRing } from '@gatehouse/crypto';
import { Derived } from './derived-secrets.js';

const SECRETS = ['the-current-secret-0123456789abcdef', 'the-former-secret-0123456789abcdefg'];
const [current, former] = SECRETS.map((secret) => KeyRing.fromTexts([secret])) as [
  KeyRing,
  KeyRing,
];
const both = KeyRing.fromTexts(SECRETS);

/**
 * HKDF-SHA256 of the current secret with the salt `gatehouse` and the info `key:setting:` before the label, made
 * with HMAC alone. With other values, no installation could read what it has stored.
 */
const KNOWN = {
  MESSAGE_KEYS: 'pHJ10r2_e2_uPjkyjgMtVowBYNEA13uSbQe5HZ3TrJ4',
  KEYS_HMAC_SECRETS: 'i8SiYEpPzmWI4A6LMdTTNLEV6Z0f2pLvkTPgtEiB95I',
  KEYS_ENCRYPTION_KEYS: '3ZdpiI5r-Rexnl-pMAmF6yUE0a2o9lkRcue3knmnc70',
  DSYNC_ENCRYPTION_KEYS: 'o7gIhYpKdfdyJyvteQNh9gdnp2bFq9Jb_9i7s1wtV6A',
  FORMS_ENCRYPTION_KEYS: 'aa7SV0KnkyKl2H2KdZMjHZgEJn8e-ZdT9vhnaJfAtxU',
} as const;

it.each(Object.entries(KNOWN))('%s stays as it is', (name, key) => {
  expect(Derived[name as keyof typeof KNOWN](current)).toEqual([key]);
});

it('VERDICT_PUBLIC_KEYS stays as it is', () => {
  const key = 'MCowBQYDK2VwAyEAOfg9w34VVgNjeCz37jgWoSXePnLWAAgcFuBt/A/4MVk=';
  const pem = `-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----\n`;
  expect(Derived.VERDICT_PUBLIC_KEYS(current)).toBe(pem);
});

it('derives a key of its own for each purpose and secret, in the order of the secrets', () => {
  const rings = Object.keys(KNOWN).map((name) => Derived[name as keyof typeof KNOWN](both));
  expect(new Set(rings.flat()).size).toBe(rings.flat().length);
  expect(Derived.MESSAGE_KEYS(both)).toEqual([current, former].flatMap(Derived.MESSAGE_KEYS));
  for (const ring of rings) expect(KeyRing.fromTexts(ring).ids).toHaveLength(SECRETS.length);
});

it('publishes the keys that verify what the current and the former secret sign', () => {
  const published = Derived.VERDICT_PUBLIC_KEYS(both).match(/-----BEGIN[^]+?END PUBLIC KEY-----/g);
  const text = Buffer.from('a verdict');
  const signatures = [both, former].map((ring) =>
    sign(null, text, createPrivateKey(Derived.VERDICT_SIGNING_KEY(ring))),
  );
  const verified = signatures.map((signature, index) =>
    verify(null, text, createPublicKey(published?.[index] as string), signature),
  );
  expect(verified).toEqual([true, true]);
});
