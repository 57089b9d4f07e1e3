import { errorCodes } from './domain-error.js';

/** Errors that all services use. */
export const KitErrors = errorCodes({
  INVALID_ARGUMENT: { kind: 'invalid_argument', message: 'The request could not be read.' },
  HOST_MISSING: { kind: 'invalid_argument', message: 'The Host header is missing.' },
  NOT_UTF_8: { kind: 'invalid_argument', message: 'The body is not UTF-8.' },
  UNAUTHENTICATED: {
    kind: 'unauthenticated',
    message: 'A valid admin credential is required.',
  },
  INSUFFICIENT_SCOPE: {
    kind: 'permission_denied',
    message: 'The credential lacks the scope for this.',
  },
  PERMISSION_DENIED: { kind: 'permission_denied', message: 'The request was refused.' },
  PROTECTED_MODE: {
    kind: 'permission_denied',
    message:
      'This surface is in protected mode: it serves only loopback clients. To open it to others, ' +
      'set ADMIN_API_KEYS to one or more keys of at least 24 characters and send one as ' +
      '"Authorization: Bearer <key>".',
  },
  NOT_FOUND: { kind: 'not_found', message: 'Nothing exists at this address.' },
  METHOD_NOT_ALLOWED: {
    kind: 'method_not_allowed',
    message: 'This address does not support the method.',
  },
  REQUEST_TIMEOUT: { kind: 'request_timeout', message: 'The request took too long to arrive.' },
  FAILED_PRECONDITION: { kind: 'failed_precondition', message: 'The request was refused.' },
  PAYLOAD_TOO_LARGE: { kind: 'payload_too_large', message: 'The request body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: {
    kind: 'unsupported_media_type',
    message: 'The Content-Type of the request body is not supported.',
  },
  EXPECTATION_FAILED: {
    kind: 'expectation_failed',
    message: 'The only supported expectation is 100-continue.',
  },
  RATE_LIMITED: { kind: 'rate_limited', message: 'The request was refused.' },
  CREDENTIAL_RATE_LIMITED: {
    kind: 'rate_limited',
    message: 'The rate limit of the credential is exhausted, or its credits are used up.',
  },
  HEADER_TOO_LARGE: { kind: 'header_too_large', message: 'The headers are too large.' },
  INTERNAL: { kind: 'internal', message: 'Something went wrong on our side.' },
  UNAVAILABLE: { kind: 'unavailable', message: 'Try again later.' },
  NO_ANSWER: { kind: 'deadline_exceeded', message: 'A service did not answer in time.' },
});
