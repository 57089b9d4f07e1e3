/** Derived JWTs, verified with the published keys: see "Derived tokens" in docs/key-service.md. */
import { createRemoteJWKSet, customFetch, type RemoteJWKSet } from 'jose/jwks/remote';
import { jwtVerify } from 'jose/jwt/verify';
import { addressBits, isInNetwork } from './addresses.js';
import { type Admission, type Caller } from './caller.js';
import { type OfflineOptions, type ProtectOptions } from './options.js';
import { type Reason } from './refusal.js';

interface Claims {
  readonly sub?: string;
  readonly exp?: number;
  readonly aud?: string | readonly string[];
  readonly act?: string | { readonly sub?: string };
  readonly scp?: readonly string[];
  readonly meta?: Record<string, unknown>;
  readonly vis?: string;
  readonly acl?: readonly string[];
}

const TOKEN = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/;
/** Clocks differ. */
const TOLERANCE_SECONDS = 5;
/** Errors of jose about a token; its others are about the published keys. */
const TOKEN_FAULTS = /^ERR_(?:JW[ST]_|JOSE_ALG|JOSE_NOT|JWKS_NO_MATCHING|JWKS_MULTIPLE)/;

/** Shared by all routes. */
const keySets = new Map<string, RemoteJWKSet>();

export function isJwt(credential: string): boolean {
  return TOKEN.test(credential);
}

/**
 * @param url of Gatehouse
 * @returns a function that rejects without the published keys
 */
export function tokenVerifier(
  { issuer = 'gatehouse', jwksUrl, algorithm = 'EdDSA' }: OfflineOptions,
  route: ProtectOptions,
  url: string,
): (token: string, address: string | undefined) => Promise<Admission | Reason> {
  const keys = keySetAt(jwksUrl ?? `${url}/v2alpha1/derivedKeys/jwks.json`, route.fetch);
  const expected = {
    issuer,
    algorithms: [algorithm],
    requiredClaims: ['sub', 'exp', 'scp'],
    clockTolerance: TOLERANCE_SECONDS,
  };
  return async (token, address = '') => {
    try {
      const { payload } = await jwtVerify<Claims>(token, keys, expected);
      const refusal = refusalOf(payload, addressBits(address), route);
      return refusal ?? { caller: callerOf(payload), headers: {} };
    } catch (error) {
      const code = String((error as { code?: unknown }).code);
      if (code === 'ERR_JWT_EXPIRED') return reason('EXPIRED', 'The credential has expired.');
      if (!TOKEN_FAULTS.test(code)) throw error;
      return reason('SIGNATURE_INVALID', 'The signature of the credential is not valid.');
    }
  };
}

function keySetAt(url: string, fetcher: typeof fetch | undefined): RemoteJWKSet {
  const known = keySets.get(url);
  if (known !== undefined) return known;
  const keys = createRemoteJWKSet(new URL(url), { [customFetch]: fetcher });
  keySets.set(url, keys);
  return keys;
}

/** The checks of the key service, in its order. */
function refusalOf(
  { acl = [], scp = [], aud = [] }: Claims,
  address: bigint | undefined,
  { scopes = [], audience }: ProtectOptions,
): Reason | undefined {
  const isAllowed = (cidr: string) => address !== undefined && isInNetwork(address, cidr);
  if (acl.length > 0 && !acl.some(isAllowed)) {
    return reason('IP_NOT_ALLOWED', 'The credential may not be used from this address.');
  }
  const missing = scopes.filter((scope) => !scp.includes(scope));
  if (missing.length > 0) {
    const names = missing.map((scope) => `"${scope}"`).join(', ');
    return reason('INSUFFICIENT_SCOPE', `The credential does not have the scope ${names}.`);
  }
  const audiences = [aud].flat();
  const isForUs = audience === undefined ? audiences.length === 0 : audiences.includes(audience);
  return isForUs
    ? undefined
    : reason('AUDIENCE_MISMATCH', 'The credential is not for the audience that is expected.');
}

function reason(code: string, detail: string): Reason {
  return { code: `VERIFICATION_ERROR_${code}`, detail };
}

function callerOf({
  sub = '',
  act,
  scp = [],
  aud = [],
  meta = {},
  vis = '',
  exp = 0,
}: Claims): Caller {
  return {
    keyId: sub,
    actorId: typeof act === 'string' ? act : (act?.sub ?? ''),
    scopes: scp,
    audiences: [aud].flat(),
    metadata: meta,
    visibility: vis,
    expireTime: new Date(exp * 1000).toISOString(),
  };
}
