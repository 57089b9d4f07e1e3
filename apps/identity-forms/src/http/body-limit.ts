import { DomainError, toDomainError } from '@gatehouse/service-kit';

/** A body over the limit, which the answer names. */
export function bodyTooLarge(bodyBytesMax: number): DomainError {
  return new DomainError(
    'payload_too_large',
    'LIMIT_BODY',
    `The body is larger than ${bodyBytesMax} bytes.`,
    { metadata: { limit: String(bodyBytesMax) } },
  );
}

/** What was thrown, as an error of the domain; what the framework says of a large body names the limit. */
export function namingBodyLimit(thrown: unknown, bodyBytesMax: number): DomainError {
  const error = toDomainError(thrown);
  return error.code === 'PAYLOAD_TOO_LARGE' ? bodyTooLarge(bodyBytesMax) : error;
}
