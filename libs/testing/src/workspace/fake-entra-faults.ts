/**
 * Refusals of Entra ID and Microsoft Graph with their bodies: https://learn.microsoft.com/graph/errors
 * and https://learn.microsoft.com/entra/identity-platform/reference-error-codes.
 */
import { type FakeAnswer } from './fake-server.js';

function refusal(status: number, code: string, message: string): FakeAnswer {
  return { status, body: { error: { code, message, innerError: { 'request-id': 'fake' } } } };
}

function tokenRefusal(status: number, error: string, description: string): FakeAnswer {
  const code = Number(/AADSTS(\d+)/.exec(description)?.[1]);
  return { status, body: { error, error_description: description, error_codes: [code] } };
}

export const ENTRA_FAULTS = {
  unauthenticated: refusal(
    401,
    'InvalidAuthenticationToken',
    'Access token has expired or is not yet valid.',
  ),
  denied: refusal(
    403,
    'Authorization_RequestDenied',
    'Insufficient privileges to complete the operation.',
  ),
  notFound: refusal(404, 'Request_ResourceNotFound', 'Resource does not exist.'),
  staleToken: refusal(410, 'syncStateNotFound', 'The sync state generation is not found.'),
  invalidRequest: refusal(400, 'InvalidRequest', 'Invalid value specified for property.'),
  validationFailed: refusal(
    400,
    'ValidationError',
    'Subscription validation request failed. Notification endpoint must respond with 200 OK to validation request.',
  ),
  throttled: refusal(429, 'TooManyRequests', 'Please retry after 1 seconds.'),
  unavailable: refusal(503, 'serviceNotAvailable', 'The service is temporarily unavailable.'),
  unknownTenant: tokenRefusal(400, 'invalid_request', "AADSTS90002: Tenant 'x' not found."),
  unknownApplication: tokenRefusal(
    400,
    'unauthorized_client',
    "AADSTS700016: Application was not found in the directory 'x'.",
  ),
  invalidClient: tokenRefusal(
    401,
    'invalid_client',
    'AADSTS7000215: Invalid client secret provided.\r\nTrace ID: fake',
  ),
} as const satisfies Record<string, FakeAnswer>;
