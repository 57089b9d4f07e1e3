import { DomainError, errorCodes, KitErrors } from '@gatehouse/kit/errors';

/** Errors of directory sync. Its HTTP bodies show status and message only. */
export const SyncErrors = errorCodes({
  TOO_MANY_SEARCHES: {
    kind: 'rate_limited',
    message: 'Too many searches of the directory are running. Try again later.',
  },
  PROVIDER_FAILED: {
    kind: 'bad_gateway',
    message: 'The provider of the workspace directory refused or did not answer.',
  },
  SCIM_TOKEN_LIMIT_REACHED: {
    kind: 'failed_precondition',
    message: 'The limit on SCIM tokens of the directory has been reached. Delete one first.',
  },
  SCIM_TOKEN_EXISTS: {
    kind: 'already_exists',
    message: 'Another SCIM token of the directory has this name.',
  },
  SCIM_TOKEN_REQUIRED: {
    kind: 'failed_precondition',
    message: 'The directory has no valid SCIM token. Create one before you retire its SCIM secret.',
  },
  SETUP_LINK_GONE: {
    kind: 'gone',
    message: 'The setup link was used, has expired, or was revoked.',
  },
  SETUP_SESSION_GONE: { kind: 'gone', message: 'There is no open setup session.' },
  SETUP_NOT_ALLOWED: { kind: 'permission_denied', message: 'The setup link does not allow this.' },
  SETUP_TOKENS_IN_USE: {
    kind: 'failed_precondition',
    message: 'Two tokens of the setup link are already in use.',
  },
  SETUP_MAPPING_CHANGED: {
    kind: 'failed_precondition',
    message: 'The settings were changed in the meantime. Reload the page.',
  },
  SETUP_PREVIEW_RUNS: {
    kind: 'rate_limited',
    message: 'Another preview of the directory is running. Try again later.',
  },
  SETUP_WITHOUT_CLIENT: {
    kind: 'failed_precondition',
    message:
      'This service has no client credentials for the provider, so administrators cannot give consent.',
  },
  SETUP_NOT_CONNECTED: {
    kind: 'failed_precondition',
    message: 'The identity provider is not connected yet.',
  },
  CONTENDED: {
    kind: 'unavailable',
    message: 'Too many requests are changing the resource. Try again later.',
  },
});

export function notFound(message: string): DomainError {
  return new DomainError(KitErrors.NOT_FOUND, { message });
}
