import { hasIssuedSecretShape } from './issued-secret.js';
import { MACAROON_PREFIX } from './macaroon-codec.js';

/** Which of the four families a credential belongs to, by its outer shape alone. */
export type CredentialKind = 'issued' | 'jwt' | 'macaroon' | 'imported';

const JWT_SHAPE = /^eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Routes a credential: three Base64url parts that begin with `eyJ` are a JWT (RFC 7519), the
 * macaroon prefix is a macaroon, the shape of an issued secret is issued, all else is imported.
 */
export function credentialKind(credential: string): CredentialKind {
  if (credential.startsWith(MACAROON_PREFIX)) return 'macaroon';
  if (credential.startsWith('eyJ') && JWT_SHAPE.test(credential)) return 'jwt';
  return hasIssuedSecretShape(credential) ? 'issued' : 'imported';
}
