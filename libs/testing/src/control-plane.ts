import { generateKeyPairSync } from 'node:crypto';

const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** The settings by which the services of a test trust one another. */
export const CONTROL_PLANE = {
  MESSAGE_KEYS: 'message-key-of-the-tests-0123456789abcdef',
  VERDICT_SIGNING_KEY: privateKey,
  VERDICT_PUBLIC_KEYS: publicKey,
};
