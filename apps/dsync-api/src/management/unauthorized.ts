import { DomainError } from '@gatehouse/service-kit';

/**
 * What a caller without one of API_KEYS or a live key with the scope `dsync:admin` is told: the same
 * whatever its credential is, so that a live key without the scope is none.
 */
export function unauthorized(cause: unknown): DomainError {
  if (cause instanceof DomainError && cause.kind === 'unavailable') return cause;
  return new DomainError('unauthenticated', 'UNAUTHENTICATED', 'Unauthorized', {
    headers: { 'WWW-Authenticate': 'Api-Key' },
    cause,
  });
}
