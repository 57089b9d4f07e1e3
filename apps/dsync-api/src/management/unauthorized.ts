import { DomainError, KitErrors } from '@gatehouse/service-kit';

/** Kinds that do not mean that a credential is invalid. A 401 would make clients discard it. */
const TRANSIENT_KINDS: ReadonlySet<string> = new Set(['unavailable', 'rate_limited']);

/**
 * The error for callers without one of API_KEYS or a live key with the scope `dsync:admin`. It does
 * not depend on the credential, so a live key without the scope gets the same one.
 */
export function unauthorized(cause: unknown): DomainError {
  if (cause instanceof DomainError && TRANSIENT_KINDS.has(cause.kind)) return cause;
  return new DomainError(KitErrors.UNAUTHENTICATED, {
    message: 'Unauthorized',
    headers: { 'WWW-Authenticate': 'Api-Key' },
    cause,
  });
}
