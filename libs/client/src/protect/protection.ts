/**
 * The decision about a request, for any framework. It costs one request to Gatehouse, or none for a
 * credential that is missing, malformed, was refused just now, or is verified offline. Whatever fails, the
 * request is refused with 503.
 */
import { connect, GatehouseError } from '../connection/index.js';
import { type Admission } from './caller.js';
import { credentialIn, type CredentialHeaders, isWellFormed } from './credential.js';
import { isJwt, tokenVerifier } from './derived-tokens.js';
import { type ProtectOptions } from './options.js';
import {
  type Challenge,
  isAboutCredential,
  type Reason,
  type Refusal,
  refusalFor,
} from './refusal.js';
import { RefusedCredentials } from './refused-credentials.js';
import { verifier } from './verifier.js';

/**
 * @param headers with the credential
 * @param address of the client; without a valid one, credentials that are bound to networks are refused
 */
export type Authorize = (
  headers: CredentialHeaders,
  address: string | undefined,
) => Promise<Admission | Refusal>;

const TIMEOUT_MS = 5_000;
const MISSING: Reason = {
  code: 'CREDENTIAL_MISSING',
  detail: 'Send a key in X-API-Key, or in Authorization with the scheme Bearer.',
};
const MALFORMED: Reason = {
  code: 'VERIFICATION_ERROR_INVALID_FORMAT',
  detail: 'The credential cannot be read.',
};

/** Shared by all routes. */
const refusedCredentials = new RefusedCredentials();

/**
 * @returns a function that never rejects
 * @throws TypeError without an address of Gatehouse or a key
 */
export function protection(
  options: ProtectOptions,
  challenge: Challenge = { parameter: 'realm="API"', scopes: options.scopes ?? [] },
): Authorize {
  const { onError = logError } = options;
  const decide = decider(options);
  return async (headers, address) => {
    const credential = credentialIn(headers);
    if (credential === undefined) return refusalFor(MISSING, challenge);
    if (!isWellFormed(credential)) return refusalFor(MALFORMED, challenge);
    try {
      const decision = await decide(credential, address);
      return 'caller' in decision ? decision : refusalFor(decision, challenge);
    } catch (error) {
      void Promise.resolve(error).then(onError).catch(logError);
      return refusalFor(unavailable(error), challenge);
    }
  };
}

function decider(options: ProtectOptions) {
  const connection = connect({ ...options, timeoutMs: options.timeoutMs ?? TIMEOUT_MS });
  const verify = verifier(connection, options);
  const { offline = false } = options;
  const verifyToken =
    offline && tokenVerifier(offline === true ? {} : offline, options, connection.url);
  return async (credential: string, address: string | undefined): Promise<Admission | Reason> => {
    if (verifyToken && isJwt(credential)) return verifyToken(credential, address);
    const known = await refusedCredentials.find(connection.url, credential);
    if (known !== undefined) return known;
    const decision = await verify(credential, address);
    if ('code' in decision && isAboutCredential(decision.code)) {
      await refusedCredentials.add(connection.url, credential, decision);
    }
    return decision;
  };
}

function unavailable(error: unknown): Reason {
  const seconds = error instanceof GatehouseError ? error.retryAfterSeconds : undefined;
  return {
    code: 'VERIFICATION_ERROR_INTERNAL',
    detail: 'The credential cannot be verified at the moment. Try again later.',
    headers: { 'retry-after': String(seconds || 1) },
  };
}

function logError(error: unknown): void {
  // oxlint-disable-next-line no-console -- A wrong key or address must not go unnoticed.
  console.error(error);
}
