/**
 * Refusals of Microsoft in words for an administrator. Their bodies:
 * https://learn.microsoft.com/graph/errors and
 * https://learn.microsoft.com/entra/identity-platform/reference-error-codes.
 */
import { type JsonObject } from '@gatehouse/scim';
import { ResponseBodyError } from 'openid-client';
import { objectAt, textAt } from '../http/answer-fields.js';
import { type Dialect } from '../http/provider-requests.js';
import { WorkspaceError } from '../workspace.errors.js';

const GRANT =
  'an administrator of the tenant must consent to User.Read.All and Group.Read.All (application permissions)';

export const ENTRA: Dialect = {
  provider: 'Microsoft Graph',
  isRateLimit: () => false,
  refusal: (status, body) => {
    const error = objectAt(body, 'error');
    const said = saidBy(textAt(error, 'message'));
    if (status === 401 || status === 403) {
      const message = `The application may not read this tenant: ${GRANT}${said}.`;
      return new WorkspaceError('needs_authorization', message);
    }
    if (status === 410 || isStale(error)) {
      return new WorkspaceError('page_expired', 'Microsoft Graph no longer knows the page token.');
    }
    const message = `Microsoft Graph answered with status ${status}${said}.`;
    return new WorkspaceError(status === 404 ? 'not_found' : 'invalid_response', message);
  },
};

/** The error of a request for a token. */
export function tokenFault(error: unknown): WorkspaceError {
  if (!(error instanceof ResponseBodyError)) {
    const message = `Entra ID could not be reached: ${causeOf(error)}.`;
    return new WorkspaceError('unavailable', message, null, { cause: error });
  }
  const { status, error_description: description } = error;
  const said = saidBy(description?.split(/\r?\n/)[0]);
  if (status === 429) return new WorkspaceError('rate_limited', 'Entra ID wants fewer requests.');
  if (status >= 500) {
    return new WorkspaceError('unavailable', `Entra ID answered with status ${status}.`);
  }
  switch (error.error) {
    case 'unauthorized_client':
      return new WorkspaceError(
        'needs_authorization',
        `The application is not known in this tenant: ${GRANT}${said}.`,
      );
    case 'invalid_client':
      return new WorkspaceError(
        'forbidden',
        `Entra ID does not accept the application; check WORKSPACE_ENTRA_CLIENT_ID and WORKSPACE_ENTRA_CLIENT_SECRET, and whether the secret has expired${said}.`,
      );
    case 'invalid_request':
    case 'invalid_tenant':
      return new WorkspaceError(
        'forbidden',
        `Entra ID does not know the tenant; check workspace_domain${said}.`,
      );
    default:
      return new WorkspaceError('invalid_response', `Entra ID gave no token${said}.`);
  }
}

function isStale(error: JsonObject): boolean {
  return ['resyncRequired', 'syncStateNotFound'].includes(textAt(error, 'code') ?? '');
}

function saidBy(message: string | undefined): string {
  return message === undefined ? '' : ` (Microsoft: "${message.slice(0, 200)}")`;
}

/** The error of the outbound client, without the address. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  return cause instanceof Error ? cause.message : 'no answer';
}
