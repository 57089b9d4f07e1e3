import { invalidValue, ScimError, scimErrorBody, uniquenessError } from '@gatehouse/scim';
import { toDomainError } from '@gatehouse/service-kit';
import { postgresFault } from '../../database/database.js';
import { type SyncLogger } from '../../management/result.js';
import type { ScimAnswer, ScimTarget } from './scim.types.js';

const UNIQUE_VIOLATION = '23505';
/** Data exceptions, and texts that are too large for an index. */
const UNSTORABLE = /^22...$|^54000$/;
const RETRY_AFTER_SECONDS = 5;

/**
 * A SCIM answer for anything that was thrown: RFC 7644 section 3.12. Whatever is wrong with
 * PostgreSQL is 503, also a fault of ours: a provider tries a 503 again and takes a 4xx as final.
 */
export function scimFailure(thrown: unknown, logger: SyncLogger): ScimAnswer {
  const scim = thrown instanceof ScimError ? thrown : writeFault(thrown);
  if (scim) return { status: scim.status, headers: {}, data: { ...scim.body() } };
  const fault = toDomainError(thrown);
  const isUnavailable = fault.kind === 'unavailable';
  if (isUnavailable || postgresFault(thrown).code !== undefined) {
    logger[isUnavailable ? 'warn' : 'error']({ err: thrown }, 'scim request met a database fault');
    return errorAnswer(503, 'The service is not available at the moment.', {
      'Retry-After': String(RETRY_AFTER_SECONDS),
    });
  }
  if (fault.httpStatus >= 500) logger.error({ err: thrown }, 'scim request failed');
  return errorAnswer(fault.httpStatus, fault.message);
}

export function errorAnswer(
  status: number,
  detail: string,
  headers: Record<string, string> = {},
): ScimAnswer {
  return { status, headers, data: { ...scimErrorBody(status, detail) } };
}

export function methodNotAllowed(allowed: readonly string[]): ScimAnswer {
  return errorAnswer(405, 'This method is not supported here.', { Allow: allowed.join(', ') });
}

export function resourceNotFound(id: string): ScimError {
  return new ScimError(404, undefined, `Resource ${id.slice(0, 64)} not found.`);
}

/** The methods of each kind of address. */
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

/** A fault of PostgreSQL that is about what was to be written: 409 or 400. */
function writeFault(thrown: unknown): ScimError | undefined {
  const { code, constraint } = postgresFault(thrown);
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
