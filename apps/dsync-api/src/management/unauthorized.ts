import { DomainError } from '@gatehouse/service-kit';

/** Faults that leave open whether a credential is good: a 401 would be taken for its end. */
const SAY_NOTHING: ReadonlySet<string> = new Set(['unavailable', 'rate_limited']);

/**
 * What a caller without one of API_KEYS or a live key with the scope `dsync:admin` is told: the
 * same whatever its credential is, so that a live key without the scope is none.
 */
export function unauthorized(cause: unknown): DomainError {
  if (cause instanceof DomainError && SAY_NOTHING.has(cause.kind)) return cause;
  return new DomainError('unauthenticated', 'UNAUTHENTICATED', 'Unauthorized', {
    headers: { 'WWW-Authenticate': 'Api-Key' },
    cause,
  });
}
