import { type ErrorCode, errorCodes } from '@gatehouse/kit/errors';
import { VERIFICATION_ERRORS, type VerificationErrorCode } from '@gatehouse/schemas';

/** Errors of the key service; the code is the `reason` of the response's `ErrorInfo`. */
export const KeyErrors = errorCodes({
  API_KEY_NOT_FOUND: { kind: 'not_found', message: 'The key does not exist.' },
  API_KEY_NOT_ACTIVE: {
    kind: 'failed_precondition',
    message: 'The key is not active, or has already been rotated.',
  },
  API_KEY_ALREADY_REVOKED: {
    kind: 'failed_precondition',
    message: 'The key is already revoked.',
  },
  API_KEY_NOT_REVOKED: { kind: 'failed_precondition', message: 'The key is not revoked.' },
  REVOCATION_FINAL: {
    kind: 'failed_precondition',
    message:
      'A revocation can be undone within an hour, unless the key has expired in the meantime, or it ' +
      'was for exposure, by the holder or by a rotation.',
  },
  API_KEY_NOT_ENDED: {
    kind: 'failed_precondition',
    message: 'The key is neither revoked nor expired. Revoke it first.',
  },
  API_KEY_PAUSED: { kind: 'permission_denied', message: 'The credential is paused.' },
  CONTROL_SCOPE_NOT_GRANTED: {
    kind: 'permission_denied',
    message:
      'A key with control scopes can be issued or changed with a static admin key, or with an ' +
      'issued key that holds all of these scopes itself.',
  },
  DIRECTORY_LINK_NOT_FOUND: {
    kind: 'not_found',
    message: 'No directory of this tenant and product is linked with keys.',
  },
  PEOPLE_BUSY: {
    kind: 'unavailable',
    message: 'Too much is being applied at once. Try again later.',
  },
  API_KEY_ALREADY_EXISTS: { kind: 'already_exists', message: 'The key is already imported.' },
  API_KEY_WITHOUT_CREDITS: {
    kind: 'failed_precondition',
    message: 'The key has no credit balance. Create one first.',
  },
  CREDITS_LIMIT_REACHED: {
    kind: 'failed_precondition',
    message: 'The key would have more than 10^15 credits.',
  },
  API_KEY_EXPIRED: { kind: 'unauthenticated', message: 'The key has expired.' },
  API_KEY_LIMIT_REACHED: {
    kind: 'payment_required',
    message: 'The limit on live keys has been reached.',
  },
  USAGE_BUSY: {
    kind: 'rate_limited',
    message: 'Too many usage queries are running. Try again later.',
  },
  RAW_KEY_SHAPE_TAKEN: {
    kind: 'failed_precondition',
    message:
      'raw_key has the shape of an issued secret, a JWT or a macaroon and could never be verified.',
  },
  HASH_PREFIX_FULL: {
    kind: 'failed_precondition',
    message: 'Four hashes already have this lookup_prefix. Use a longer prefix.',
  },
  HASH_LOOKUPS_EXHAUSTED: {
    kind: 'failed_precondition',
    message:
      'Hashes that wait for their first use may have lookup prefixes of four lengths, and eight keys ' +
      'of HMACs.',
  },
  IMPORTED_HASHES_BUSY: {
    kind: 'unavailable',
    message: 'Too many credentials wait for a slow hash. Try again later.',
  },
  REQUEST_ID_TAKEN: {
    kind: 'already_exists',
    message: 'request_id was used for a key of another kind.',
  },
  TRUST_RULES_LIMIT_REACHED: {
    kind: 'failed_precondition',
    message: 'There are 1,000 live trust rules. Revoke one first.',
  },
  UNSUPPORTED_GRANT_TYPE: {
    kind: 'invalid_argument',
    message: 'grant_type must be urn:ietf:params:oauth:grant-type:token-exchange.',
  },
  INVALID_GRANT: { kind: 'invalid_argument', message: 'The subject token is not valid.' },
  INVALID_SCOPE: { kind: 'invalid_argument', message: 'The scope is not valid.' },
  INVALID_TARGET: {
    kind: 'invalid_argument',
    message: 'resource is not supported. Name an audience.',
  },
  TOKEN_ISSUER_UNAVAILABLE: {
    kind: 'unavailable',
    message: 'The keys of the issuer cannot be read at the moment. Try again later.',
  },
  EXCHANGE_LIMITED: {
    kind: 'rate_limited',
    message: 'Too many refused exchanges from this address. Try again later.',
  },
  METADATA_CLOSED: {
    kind: 'not_found',
    message: 'There is no metadata. Set ISSUER to the address of the public surface.',
  },
  API_KEY_REVOKED: { kind: 'permission_denied', message: 'The credential has been revoked.' },
  IP_NOT_ALLOWED: {
    kind: 'unauthenticated',
    message: 'The credential may not be used from this address.',
  },
  CREDENTIAL_NOT_VALID: { kind: 'unauthenticated', message: 'The credential is not valid.' },
  CREDENTIAL_UNSPECIFIED: { kind: 'unauthenticated', message: 'The credential is not valid.' },
  CREDENTIAL_INVALID_FORMAT: {
    kind: 'unauthenticated',
    message: 'The credential cannot be read.',
  },
  CREDENTIAL_EXPIRED: { kind: 'unauthenticated', message: 'The credential has expired.' },
  CREDENTIAL_REVOKED: { kind: 'unauthenticated', message: 'The credential has been revoked.' },
  CREDENTIAL_PAUSED: { kind: 'permission_denied', message: 'The credential is paused.' },
  CREDENTIAL_NOT_FOUND: { kind: 'unauthenticated', message: 'The credential is unknown.' },
  CREDENTIAL_SIGNATURE_INVALID: {
    kind: 'unauthenticated',
    message: 'The signature of the credential is not valid.',
  },
  CREDENTIAL_INTERNAL: {
    kind: 'unavailable',
    message: 'The credential cannot be verified at the moment. Try again later.',
  },
  CREDENTIAL_IP_NOT_ALLOWED: {
    kind: 'permission_denied',
    message: 'The credential may not be used from this address.',
  },
  CREDENTIAL_RATE_LIMITED: {
    kind: 'rate_limited',
    message: 'The rate limit of the credential is exhausted.',
  },
  CREDENTIAL_CREDITS_EXHAUSTED: {
    kind: 'rate_limited',
    message: 'The credits of the credential are used up.',
  },
  CREDENTIAL_INSUFFICIENT_SCOPE: {
    kind: 'permission_denied',
    message: 'The credential lacks a required scope.',
  },
  CREDENTIAL_AUDIENCE_MISMATCH: {
    kind: 'permission_denied',
    message: 'The credential is not for this audience.',
  },
  CREDENTIAL_MISSING: {
    kind: 'unauthenticated',
    message:
      'Send the credential in X-API-Key, or in Authorization with the scheme Bearer or Api-Key.',
  },
  SELF_REVOCATION_LIMITED: {
    kind: 'rate_limited',
    message: 'Too many attempts from this address. Try again later.',
  },
  LEAK_REPORTS_CLOSED: {
    kind: 'not_found',
    message: 'GitHub leak reports are disabled. Set SECRET_SCANNING_KEYS_URL to enable them.',
  },
  LEAK_REPORTER_KEYS_UNAVAILABLE: {
    kind: 'unavailable',
    message: "GitHub's public keys are unavailable. Try again later.",
  },
  LEAK_SIGNATURE_INVALID: {
    kind: 'unauthenticated',
    message: 'The report is not signed by GitHub.',
  },
  PORTAL_CLOSED: {
    kind: 'failed_precondition',
    message: 'Portal sessions are disabled. Set EXTERNAL_URL to enable them.',
  },
  PORTAL_SESSION_NOT_FOUND: { kind: 'not_found', message: 'The portal session does not exist.' },
  PORTAL_SESSIONS_LIMIT_REACHED: {
    kind: 'failed_precondition',
    message: 'The actor has reached the limit on portal sessions.',
  },
  PORTAL_SESSION_GONE: {
    kind: 'gone',
    message: 'The portal link was already used, or the portal session has ended.',
  },
  PORTAL_FORM_REFUSED: {
    kind: 'permission_denied',
    message: 'The submission came from another site.',
  },
  PORTAL_ACTION_NOT_ALLOWED: {
    kind: 'permission_denied',
    message: 'The portal session does not allow this.',
  },
  PORTAL_KEYS_LIMIT_REACHED: {
    kind: 'failed_precondition',
    message: 'The actor has as many live keys as is allowed.',
  },
  PORTAL_NEW_KEYS_LIMIT_REACHED: {
    kind: 'failed_precondition',
    message: 'The portal sessions of the actor made as many keys in 24 hours as is allowed.',
  },
  SCOPE_NOT_GRANTED: {
    kind: 'permission_denied',
    message: 'The key does not hold all of these scopes.',
  },
});

type Suffix<Text> = Text extends `VERIFICATION_ERROR_${infer End}` ? End : never;

/** Reasons to refuse a credential, as errors with their own statuses. */
export const CREDENTIAL_ERRORS = Object.fromEntries(
  VERIFICATION_ERRORS.map((error) => {
    const suffix = error.slice('VERIFICATION_ERROR_'.length) as Suffix<VerificationErrorCode>;
    return [error, KeyErrors[`CREDENTIAL_${suffix}`]];
  }),
) as Readonly<Record<VerificationErrorCode, ErrorCode>>;

/** The message instead of that of a revoked or paused credential whose actor has left. */
export const CREDENTIAL_OF_LEAVER =
  'The credential was stopped because its actor left: a directory or the application removed the person.';
