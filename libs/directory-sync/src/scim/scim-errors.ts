import { ScimError, scimErrorBody, uniquenessError } from '@gatehouse/scim';
import { toDomainError } from '@gatehouse/service-kit';
import { postgresFault } from '../database/database.js';
import { type SyncLogger } from '../result.js';
import type { ScimAnswer, ScimTarget } from './scim.types.js';

const UNIQUE_VIOLATION = '23505';
const RETRY_AFTER_SECONDS = 5;

/** A SCIM answer for anything that was thrown: RFC 7644 section 3.12. */
export function scimFailure(thrown: unknown, logger: SyncLogger): ScimAnswer {
  const scim = thrown instanceof ScimError ? thrown : uniquenessFault(thrown);
  if (scim) return { status: scim.status, headers: {}, data: { ...scim.body() } };
  const fault = toDomainError(thrown);
  const status = fault.httpStatus;
  if (status === 503) {
    logger.warn({ err: thrown }, 'scim request met an unavailable database');
    return errorAnswer(503, 'The service is not available at the moment.', {
      'Retry-After': String(RETRY_AFTER_SECONDS),
    });
  }
  if (status >= 500) logger.error({ err: thrown }, 'scim request failed');
  return errorAnswer(status, fault.message);
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

function uniquenessFault(thrown: unknown): ScimError | undefined {
  const { code, constraint } = postgresFault(thrown);
  if (code !== UNIQUE_VIOLATION) return undefined;
  if (constraint === 'users_user_name') {
    return uniquenessError('A user with this userName exists in the directory.');
  }
  if (constraint === 'groups_unique_name') {
    return uniquenessError('A group with this displayName exists in the directory.');
  }
  return undefined;
}
