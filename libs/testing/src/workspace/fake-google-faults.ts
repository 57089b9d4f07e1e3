/**
 * Refusals of Google with their bodies:
 * https://developers.google.com/admin-sdk/directory/v1/limits,
 * https://cloud.google.com/apis/design/errors and RFC 6749 section 5.2.
 */
import { type FakeAnswer } from './fake-server.js';

function refusal(code: number, message: string, reason: string, status?: string): FakeAnswer {
  const errors = [{ message, domain: 'global', reason }];
  return {
    status: code,
    body: { error: { code, message, errors, ...(status ? { status } : {}) } },
  };
}

export function tokenRefusal(status: number, error: string, description: string): FakeAnswer {
  return { status, body: { error, error_description: description } };
}

export const GOOGLE_FAULTS = {
  badRequest: refusal(400, 'Bad Request', 'badRequest', 'INVALID_ARGUMENT'),
  invalidPageToken: refusal(400, 'Invalid Input: pageToken', 'invalid', 'INVALID_ARGUMENT'),
  unauthenticated: refusal(
    401,
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
    'authError',
    'UNAUTHENTICATED',
  ),
  notAuthorized: refusal(403, 'Not Authorized to access this resource/api', 'forbidden'),
  apiDisabled: refusal(
    403,
    'Admin SDK API has not been used in project 1234 before or it is disabled.',
    'accessNotConfigured',
    'PERMISSION_DENIED',
  ),
  insufficientScopes: refusal(
    403,
    'Request had insufficient authentication scopes.',
    'insufficientPermissions',
    'PERMISSION_DENIED',
  ),
  quotaExceeded: refusal(403, 'Quota exceeded.', 'quotaExceeded'),
  notFound: refusal(404, 'Resource Not Found: groupKey', 'notFound'),
  domainNotFound: refusal(404, 'Domain not found.', 'notFound'),
  rateLimited: refusal(
    429,
    "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'admin.googleapis.com'.",
    'rateLimitExceeded',
    'RESOURCE_EXHAUSTED',
  ),
  channelIdNotUnique: refusal(400, 'Channel id not unique', 'channelIdNotUnique'),
  channelNotFound: refusal(404, 'Channel not found for project', 'notFound'),
  internal: refusal(500, 'Internal error encountered.', 'backendError', 'INTERNAL'),
  unavailable: refusal(503, 'The service is currently unavailable.', 'backendError', 'UNAVAILABLE'),
  revoked: tokenRefusal(400, 'invalid_grant', 'Token has been expired or revoked.'),
} as const satisfies Record<string, FakeAnswer>;
