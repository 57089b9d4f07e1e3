import { invalidValue, ScimError, scimErrorBody, uniquenessError } from '@gatehouse/scim';
import { toDomainError } from '@gatehouse/kit/errors';
import { sqlFault } from '@gatehouse/kit/sql';
import { type SyncLogger } from '../../sync-logger.js';
import { type ScimResponse, type ScimTarget } from './scim.types.js';

const UNIQUE_VIOLATION = '23505';
/** SQLSTATEs of data exceptions and of values that are too large for an index. */
const UNSTORABLE = /^22...$|^54000$/;
const RETRY_AFTER_SECONDS = 5;

/**
 * The SCIM response for anything thrown: RFC 7644 section 3.12. Every PostgreSQL error is 503,
 * even one caused by a bug here: providers retry a 503 but treat a 4xx as final.
 */
export function scimFailure(thrown: unknown, logger: SyncLogger): ScimResponse {
  const scim = refusalOf(thrown);
  if (scim) return { status: scim.status, headers: {}, data: { ...scim.body() } };
  const fault = toDomainError(thrown);
  const isUnavailable = fault.kind === 'unavailable';
  if (isUnavailable || sqlFault(thrown).code !== undefined) {
    logger[isUnavailable ? 'warn' : 'error']({ err: thrown }, 'scim request met a database fault');
    return errorResponse(503, 'The service is not available at the moment.', {
      'Retry-After': String(RETRY_AFTER_SECONDS),
    });
  }
  if (fault.httpStatus >= 500) logger.error({ err: thrown }, 'scim request failed');
  const { retryAfterSeconds } = fault;
  const headers = { ...(retryAfterSeconds && { 'Retry-After': String(retryAfterSeconds) }) };
  return errorResponse(fault.httpStatus, fault.message, headers);
}

/** Why a resource was not stored; undefined if the resource is not the reason. */
export function refusalOf(thrown: unknown): ScimError | undefined {
  return thrown instanceof ScimError ? thrown : writeFault(thrown);
}

export function errorResponse(
  status: number,
  detail: string,
  headers: Record<string, string> = {},
): ScimResponse {
  return { status, headers, data: { ...scimErrorBody(status, detail) } };
}

export function methodNotAllowed(allowed: readonly string[]): ScimResponse {
  return errorResponse(405, 'This method is not supported here.', { Allow: allowed.join(', ') });
}

export function resourceNotFound(id: string): ScimError {
  return new ScimError(404, undefined, `Resource ${id.slice(0, 64)} not found.`);
}

/** The methods that each kind of target accepts. */
export function allowedMethods(target: ScimTarget): readonly string[] {
  switch (target.kind) {
    case 'collection':
      return ['GET', 'POST'];
    case 'resource':
      return ['GET', 'PUT', 'PATCH', 'DELETE'];
    case 'search':
    case 'bulk':
      return ['POST'];
    default:
      return ['GET'];
  }
}

/** The 409 or 400 for a PostgreSQL error caused by the written values. */
function writeFault(thrown: unknown): ScimError | undefined {
  const { code, constraint } = sqlFault(thrown);
  if (code === UNIQUE_VIOLATION && constraint === 'users_user_name') {
    return uniquenessError('A user with this userName exists in the directory.');
  }
  if (code === UNIQUE_VIOLATION && constraint === 'groups_unique_name') {
    return uniquenessError('A group with this displayName exists in the directory.');
  }
  return UNSTORABLE.test(code ?? '')
    ? invalidValue('The resource holds a value that cannot be stored.')
    : undefined;
}
