import { errorCodes } from '@gatehouse/kit/errors';

/** Errors of the console. Those that services answer with keep their message. */
export const ConsoleErrors = errorCodes({
  SIGNED_OUT: { kind: 'unauthenticated', message: 'Sign in to continue.' },
  ACCESS_LOST: {
    kind: 'unauthenticated',
    message: 'The key of the session was revoked or paused, or it has expired.',
  },
  FORM_REFUSED: {
    kind: 'permission_denied',
    message: 'The submission was refused: it did not come from a page of this session.',
  },
  KEY_REFUSED: { kind: 'permission_denied', message: 'The key does not open any service.' },
  NO_ROLE: { kind: 'permission_denied', message: 'None of your groups has a role in the console.' },
  SIGN_IN_FAILED: {
    kind: 'invalid_argument',
    message: 'The identity provider did not confirm the sign-in.',
  },
  PROVIDER_UNAVAILABLE: {
    kind: 'unavailable',
    message: 'The identity provider cannot be reached.',
  },
  REFUSED: { kind: 'invalid_argument', message: 'The service refused the request.' },
  FORBIDDEN: { kind: 'permission_denied', message: 'Your role does not allow this.' },
  NOT_FOUND: { kind: 'not_found', message: 'It does not exist, or not any more.' },
  CONFLICT: { kind: 'failed_precondition', message: 'The service refused the change.' },
  TOO_MANY: { kind: 'rate_limited', message: 'Too many requests. Try again in a moment.' },
  UNAVAILABLE: { kind: 'unavailable', message: 'A service cannot be reached.' },
});
