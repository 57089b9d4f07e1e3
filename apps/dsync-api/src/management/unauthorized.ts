import { DomainError, KitErrors } from '@gatehouse/kit/errors';

/**
 * The error for callers without one of API_KEYS or a live issued key. Other refusals are unchanged: a
 * missing scope, or a key service that does not answer. Answering 401 for the latter would make
 * clients discard a valid key.
 */
export function unauthorized(cause: unknown): unknown {
  if (!(cause instanceof DomainError) || cause.kind !== 'unauthenticated') return cause;
  return new DomainError(KitErrors.UNAUTHENTICATED, {
    message:
      'Send "Authorization: Api-Key <key>" with one of API_KEYS, or with a live key of the key ' +
      'service that has the scope dsync:admin.',
    headers: { 'WWW-Authenticate': 'Api-Key' },
    cause,
  });
}
