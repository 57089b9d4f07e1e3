import { createPrivateKey, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { type JWK } from 'jose';
import { type SigningAlgorithm } from '../../config.js';

/** Signs the input of a JWS (RFC 7515, section 5.1). */
export type JwsSigner = (input: string) => Buffer | Promise<Buffer>;

const signInThreadPool = promisify(sign);

/**
 * A signer for a private JWK. EdDSA (RFC 8037) and ES256 take about 20 µs and run on the main
 * thread: the thread pool, which Web Crypto uses, costs more than the signature. RS256 takes about
 * 1 ms and runs in the thread pool, so that it does not block other requests.
 */
export function jwsSigner(privateJwk: JWK, algorithm: SigningAlgorithm): JwsSigner {
  const key = createPrivateKey({ key: privateJwk, format: 'jwk' });
  switch (algorithm) {
    case 'EdDSA':
      return (input) => sign(null, Buffer.from(input), key);
    case 'ES256':
      // JWS signatures are r and s concatenated, not DER (RFC 7518, section 3.4).
      return (input) => sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
    case 'RS256':
      return (input) => signInThreadPool('sha256', Buffer.from(input), key);
  }
}
