import { DomainError } from '@gatehouse/service-kit';

export function bodyTooLarge(bodyBytesMax: number): DomainError {
  return new DomainError(
    'payload_too_large',
    'LIMIT_BODY',
    `The body is larger than ${bodyBytesMax} bytes.`,
    { metadata: { limit: String(bodyBytesMax) } },
  );
}

/** Replaces the framework's error for a large body with one that names the limit. */
export function namingBodyLimit(bodyBytesMax: number): (error: DomainError) => DomainError {
  return (error) => (error.code === 'PAYLOAD_TOO_LARGE' ? bodyTooLarge(bodyBytesMax) : error);
}
