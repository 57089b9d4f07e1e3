import { DomainError, errorCodes, KitErrors } from '@gatehouse/kit/errors';

/** Errors of directory sync. Its HTTP bodies show status and message only. */
export const SyncErrors = errorCodes({
  TOO_MANY_SEARCHES: {
    kind: 'rate_limited',
    message: 'The directory has too many searches at once.',
  },
  PROVIDER_FAILED: {
    kind: 'bad_gateway',
    message: 'The provider of the workspace directory refused or did not answer.',
  },
  SCIM_TOKEN_LIMIT_REACHED: {
    kind: 'failed_precondition',
    message: 'The directory has as many SCIM tokens as allowed. Delete one first.',
  },
  SCIM_TOKEN_EXISTS: {
    kind: 'already_exists',
    message: 'Another SCIM token of the directory has this name.',
  },
  SCIM_TOKEN_REQUIRED: {
    kind: 'failed_precondition',
    message: 'The directory has no valid SCIM token. Create one before you retire its secret.',
  },
  SETUP_LINK_GONE: {
    kind: 'gone',
    message: 'The setup link was used, has expired, or was revoked.',
  },
  SETUP_SESSION_GONE: { kind: 'gone', message: 'There is no open setup session.' },
  SETUP_NOT_ALLOWED: { kind: 'permission_denied', message: 'The setup link does not allow this.' },
  SETUP_TOKENS_IN_USE: {
    kind: 'failed_precondition',
    message: 'Two tokens of the setup link are in use.',
  },
  SETUP_MAPPING_CHANGED: {
    kind: 'failed_precondition',
    message: 'The settings of the page were changed meanwhile.',
  },
  SETUP_PREVIEW_RUNS: {
    kind: 'rate_limited',
    message: 'Another preview of the directory is under way.',
  },
  SETUP_WITHOUT_CLIENT: {
    kind: 'failed_precondition',
    message: 'This service has no client of the provider, so that no administrator can consent.',
  },
  SETUP_NOT_CONNECTED: {
    kind: 'failed_precondition',
    message: 'The identity provider is not connected yet.',
  },
  CONTENDED: { kind: 'unavailable', message: 'The resource is changed by too many at once.' },
});

export function notFound(message: string): DomainError {
  return new DomainError(KitErrors.NOT_FOUND, { message });
}
