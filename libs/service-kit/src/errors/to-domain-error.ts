import { HttpException } from '@nestjs/common';
import { DomainError, type ErrorKind } from './domain-error.js';

const KIND_BY_STATUS: Readonly<Record<number, ErrorKind>> = {
  400: 'invalid_argument',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'failed_precondition',
  413: 'payload_too_large',
  414: 'invalid_argument',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  431: 'header_too_large',
  503: 'unavailable',
};

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);

/** What people read when the framework, not our own code, refused a request. */
const MESSAGE_BY_KIND: Partial<Record<ErrorKind, string>> = {
  invalid_argument: 'The request could not be read.',
  not_found: 'There is nothing at this address.',
  payload_too_large: 'The request body is too large.',
  unsupported_media_type: 'The Content-Type of the request body is not supported.',
};

/**
 * Makes a DomainError of anything that was thrown: our own pass through, faults of Fastify and
 * Nest keep their class, a lost database or Redis is `unavailable`, all else is `internal`.
 * Texts of foreign errors stay in `cause` and never reach a caller.
 */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  if (thrown instanceof HttpException) return fromStatus(thrown.getStatus(), thrown);
  if (thrown instanceof Error) {
    if (isUnavailable(thrown)) {
      return new DomainError('unavailable', 'UNAVAILABLE', 'Try again later.', {
        cause: thrown,
        retryAfterSeconds: 1,
      });
    }
    const status = (thrown as { statusCode?: unknown }).statusCode;
    if (typeof status === 'number' && status >= 400 && status < 500) {
      return fromStatus(status, thrown);
    }
  }
  return new DomainError('internal', 'INTERNAL', 'Something went wrong on our side.', {
    cause: thrown,
  });
}

/** Whether a fault of pg, ioredis or the socket below them means "not now" rather than "never". */
export function isUnavailable(error: Error): boolean {
  const { code } =
    (error as { driverError?: { code?: unknown } }).driverError ?? (error as { code?: unknown });
  if (typeof code === 'string') {
    // PostgreSQL: 08 connection exception, 53 insufficient resources, 57P operator intervention;
    // 40001 and 40P01 serialisation failure and deadlock, 55P03 lock not available.
    if (/^(08|53)...$|^57P0\d$|^40001$|^40P01$|^55P03$|^57014$/.test(code)) return true;
    if (CONNECTION_CODES.has(code)) return true;
  }
  return /Connection terminated|is not queryable|timeout exceeded when trying to connect|Connection is closed|isn't writeable|max retries per request/i.test(
    error.message,
  );
}

function fromStatus(status: number, cause: Error): DomainError {
  const kind = KIND_BY_STATUS[status] ?? (status >= 500 ? 'internal' : 'invalid_argument');
  const message = MESSAGE_BY_KIND[kind] ?? 'The request was refused.';
  return new DomainError(kind, kind.toUpperCase(), message, { cause });
}
