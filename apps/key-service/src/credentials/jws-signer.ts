import { createPrivateKey, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'jose';
import type { SigningAlgorithm } from '../config.js';

/** Signs the input of a JWS (RFC 7515, section 5.1). */
export type JwsSigner = (input: string) => Buffer | Promise<Buffer>;

const signInThreadPool = promisify(sign);

/**
 * A signer for a private JWK. EdDSA (RFC 8037) and ES256 take some twenty microseconds and are done
 * at once: handing them to the thread pool, as Web Crypto does, costs more than they do. RS256 takes
 * a millisecond and goes there, so that it holds up nobody.
 */
export function jwsSigner(privateJwk: JWK, algorithm: SigningAlgorithm): JwsSigner {
  const key = createPrivateKey({ key: privateJwk, format: 'jwk' });
  switch (algorithm) {
    case 'EdDSA':
      return (input) => sign(null, Buffer.from(input), key);
    case 'ES256':
      // The signature of a JWS is r and s side by side, not DER (RFC 7518, section 3.4).
      return (input) => sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
    case 'RS256':
      return (input) => signInThreadPool('sha256', Buffer.from(input), key);
  }
}
