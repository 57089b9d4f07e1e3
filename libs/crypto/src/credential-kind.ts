import { hasIssuedSecretShape } from './issued-secret.js';
import { MACAROON_PREFIX } from './macaroon-codec.js';

/** The kind of a credential, judged by its format only. */
export type CredentialKind = 'issued' | 'jwt' | 'macaroon' | 'imported';

const JWT_SHAPE = /^eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Finds the kind of a credential: three Base64url parts that begin with `eyJ` are a JWT (RFC 7519), a
 * macaroon prefix is a macaroon, the format of an issued secret is issued, all others are imported.
 */
export function credentialKind(credential: string): CredentialKind {
  if (credential.startsWith(MACAROON_PREFIX)) return 'macaroon';
  if (credential.startsWith('eyJ') && JWT_SHAPE.test(credential)) return 'jwt';
  return hasIssuedSecretShape(credential) ? 'issued' : 'imported';
}
