import { DomainError, type ErrorCode } from './domain-error.js';
import { KitErrors } from './kit.errors.js';

/** Errors of Fastify and Nest by their status. */
const ERROR_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: KitErrors.UNAUTHENTICATED,
  403: KitErrors.PERMISSION_DENIED,
  404: KitErrors.NOT_FOUND,
  405: KitErrors.METHOD_NOT_ALLOWED,
  409: KitErrors.FAILED_PRECONDITION,
  413: KitErrors.PAYLOAD_TOO_LARGE,
  415: KitErrors.UNSUPPORTED_MEDIA_TYPE,
  429: KitErrors.RATE_LIMITED,
  431: KitErrors.HEADER_TOO_LARGE,
  503: KitErrors.UNAVAILABLE,
};

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * Converts anything that was thrown. A DomainError is returned unchanged, errors of Fastify and Nest
 * keep their status, a lost PostgreSQL or Redis becomes `unavailable`, anything else `internal`. The
 * message of other errors stays in `cause` and is never sent to the caller.
 */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) {
    return thrown;
  }
  if (thrown instanceof Error) {
    const { getStatus } = thrown as { getStatus?: unknown };
    if (typeof getStatus === 'function') return fromStatus(Number(getStatus.call(thrown)), thrown);
    if (isUnavailable(thrown)) {
      return new DomainError(KitErrors.UNAVAILABLE, { cause: thrown, retryAfterSeconds: 1 });
    }
    const status = (thrown as { statusCode?: unknown }).statusCode;
    if (typeof status === 'number' && status >= 400 && status < 500) {
      return fromStatus(status, thrown);
    }
  }
  return new DomainError(KitErrors.INTERNAL, { cause: thrown });
}

/** Whether an error of pg, ioredis or their socket is temporary. */
export function isUnavailable(error: Error): boolean {
  const { code } =
    (error as { driverError?: { code?: unknown } }).driverError ?? (error as { code?: unknown });
  if (typeof code === 'string') {
    // PostgreSQL: 08 connection exception, 53 insufficient resources, 58 system error, 57P operator
    // intervention; 25006 and 25P0 a server that only reads, and transactions that it ended; 40001 and
    // 40P01 serialization failure and deadlock, 55P03 lock not available.
    if (/^(08|53|58)...$|^(57|25)P0\d$|^25006$|^40001$|^40P01$|^55P03$|^57014$/.test(code)) {
      return true;
    }
    if (CONNECTION_CODES.has(code)) return true;
  }
  return /Connection terminated|is not queryable|timeout exceeded when trying to connect|Connection is closed|isn't writeable|max retries per request/i.test(
    error.message,
  );
}

function fromStatus(status: number, cause: Error): DomainError {
  const other = status >= 500 ? KitErrors.INTERNAL : KitErrors.INVALID_ARGUMENT;
  return new DomainError(ERROR_BY_STATUS[status] ?? other, { cause });
}
