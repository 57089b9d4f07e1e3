import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { FormsErrors } from '../errors.js';

export function bodyTooLarge(bodyBytesMax: number): DomainError {
  return new DomainError(FormsErrors.LIMIT_BODY, {
    message: `The body is larger than ${bodyBytesMax} bytes.`,
    metadata: { limit: String(bodyBytesMax) },
  });
}

/** Replaces the framework's error for a large body with one that names the limit. */
export function namingBodyLimit(bodyBytesMax: number): (error: DomainError) => DomainError {
  return (error) =>
    error.definition === KitErrors.PAYLOAD_TOO_LARGE ? bodyTooLarge(bodyBytesMax) : error;
}
