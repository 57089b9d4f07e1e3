/**
 * Refusals of Google in words for an administrator. Their bodies:
 * https://developers.google.com/admin-sdk/directory/v1/limits and
 * https://developers.google.com/identity/protocols/oauth2/web-server#exchange-errors.
 */
import { isObject, type JsonObject } from '@gatehouse/scim';
import { gaxios } from 'google-auth-library';
import { objectAt, objectsAt, textAt } from '../http/answer-fields.js';
import { type Dialect } from '../http/provider-requests.js';
import { WorkspaceError } from '../workspace.errors.js';

const CONNECT_AGAIN = 'an administrator must open the authorization URL again';
const RATE_LIMITS = ['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded'];

export const GOOGLE: Dialect = {
  provider: 'Google',
  isRateLimit: (status, body) => status === 403 && RATE_LIMITS.includes(reasonOf(body) ?? ''),
  refusal: (status, body) => {
    const reason = reasonOf(body);
    const said = saidBy(textAt(objectAt(body, 'error'), 'message'));
    if (status === 401) {
      const message = `Google no longer accepts the access of this directory: ${CONNECT_AGAIN}.`;
      return new WorkspaceError('needs_authorization', message);
    }
    if (reason === 'insufficientPermissions') {
      const message = `The consent does not include all three read-only scopes: ${CONNECT_AGAIN} and accept all of them.`;
      return new WorkspaceError('needs_authorization', message);
    }
    if (reason === 'accessNotConfigured') {
      const message =
        'The Admin SDK API is not switched on in the Google Cloud project of the OAuth client.';
      return new WorkspaceError('forbidden', message);
    }
    if (status === 403) {
      const message = `The account that gave its consent may not read users and groups; it needs an administrator role, and workspace_domain must be a domain of its account${said}.`;
      return new WorkspaceError('forbidden', message);
    }
    if (status === 404) {
      const message = `Google does not know what was asked for; check workspace_domain${said}.`;
      return new WorkspaceError('not_found', message);
    }
    if (status === 400 && /pageToken/i.test(said)) {
      return new WorkspaceError('page_expired', 'Google no longer knows the page token.');
    }
    return new WorkspaceError('invalid_response', `Google answered with status ${status}${said}.`);
  },
};

/** The error of a request for tokens. */
export function tokenFault(error: unknown): unknown {
  if (error instanceof WorkspaceError || !(error instanceof gaxios.GaxiosError)) return error;
  const { status } = error.response ?? {};
  const data: unknown = error.response?.data;
  if (status === undefined) {
    const message = `Google could not be reached: ${causeOf(error)}.`;
    return new WorkspaceError('unavailable', message, null, { cause: error });
  }
  const body = isObject(data) ? data : {};
  const said = saidBy(textAt(body, 'error_description'));
  switch (body.error) {
    case 'invalid_grant':
      return new WorkspaceError(
        'needs_authorization',
        `The access was revoked, has expired, or the code was used before: ${CONNECT_AGAIN}${said}.`,
      );
    case 'unauthorized_client':
    case 'access_denied':
      return new WorkspaceError(
        'needs_authorization',
        `Google does not let this client read the directory; for a service account, authorize its client id for the three scopes under "Domain-wide delegation" of the Admin console${said}.`,
      );
    case 'invalid_client':
    case 'redirect_uri_mismatch':
      return new WorkspaceError(
        'forbidden',
        `Google does not know the OAuth client of this service, or its redirect URI; check WORKSPACE_CLIENT_ID and WORKSPACE_CLIENT_SECRET${said}.`,
      );
  }
  if (status === 429) return new WorkspaceError('rate_limited', 'Google wants fewer requests.');
  const kind = status >= 500 ? 'unavailable' : 'invalid_response';
  return new WorkspaceError(
    kind,
    `Google gave no token; it answered with status ${status}${said}.`,
  );
}

function reasonOf(body: JsonObject): string | undefined {
  const [first] = objectsAt(objectAt(body, 'error'), 'errors');
  return first && textAt(first, 'reason');
}

/** The message of the provider, short enough for a status; never part of a request. */
function saidBy(message: string | undefined): string {
  return message === undefined ? '' : ` (Google: "${message.slice(0, 200)}")`;
}

/** The error of the outbound client, without the address. */
function causeOf({ cause }: gaxios.GaxiosError): string {
  return cause instanceof Error ? cause.message : 'no answer';
}
