import { DomainError, KitErrors } from '@gatehouse/service-kit';

/**
 * The error for callers without one of API_KEYS or a live issued key, in the words of Polis. Other
 * refusals stay: a missing scope, or a key service that does not answer, which a 401 would make
 * clients take for the end of their key.
 */
export function unauthorized(cause: unknown): unknown {
  if (!(cause instanceof DomainError) || cause.kind !== 'unauthenticated') return cause;
  return new DomainError(KitErrors.UNAUTHENTICATED, {
    message: 'Unauthorized',
    headers: { 'WWW-Authenticate': 'Api-Key' },
    cause,
  });
}
