import { type DomainError } from '@gatehouse/kit/errors';
import { type ErrorProtocol } from '@gatehouse/nest-kit/errors';
import { KeyErrors } from '../../errors.js';

/** Errors that RFC 6749 and RFC 8693 name. */
const NAMED: readonly string[] = [
  KeyErrors.INVALID_GRANT.code,
  KeyErrors.INVALID_SCOPE.code,
  KeyErrors.INVALID_TARGET.code,
  KeyErrors.UNSUPPORTED_GRANT_TYPE.code,
];

/** Errors of the token endpoint (RFC 6749, section 5.2; RFC 8693, section 2.2.2). */
export const OAUTH_ERRORS: ErrorProtocol = {
  mediaType: 'application/json; charset=utf-8',
  headers: { 'cache-control': 'no-store' },
  body: (error, requestId) => {
    const body = { error: nameOf(error), error_description: descriptionOf(error) };
    return error.httpStatus < 500 ? body : { ...body, request_id: requestId };
  },
};

function nameOf({ code, httpStatus }: DomainError): string {
  if (NAMED.includes(code)) return code.toLowerCase();
  if (httpStatus === 500) return 'server_error';
  return httpStatus >= 429 ? 'temporarily_unavailable' : 'invalid_request';
}

/** Printable ASCII without quotes and backslashes, as the RFC has it. */
function descriptionOf({ message }: DomainError): string {
  return message.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, '?');
}
