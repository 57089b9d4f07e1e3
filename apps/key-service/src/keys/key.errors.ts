import { DomainError } from '@gatehouse/service-kit';

export function keyNotFound(): DomainError {
  return new DomainError('not_found', 'API_KEY_NOT_FOUND', 'There is no such key.');
}

export function keyNotActive(): DomainError {
  return new DomainError(
    'failed_precondition',
    'API_KEY_NOT_ACTIVE',
    'The key is not active, or another key has already taken over from it.',
  );
}

export function keyAlreadyRevoked(): DomainError {
  return new DomainError(
    'failed_precondition',
    'API_KEY_ALREADY_REVOKED',
    'The key is already revoked.',
  );
}

export function keyAlreadyImported(): DomainError {
  return new DomainError(
    'already_exists',
    'API_KEY_ALREADY_EXISTS',
    'The key is already imported.',
  );
}

export function keyShapeTaken(): DomainError {
  return new DomainError(
    'failed_precondition',
    'RAW_KEY_SHAPE_TAKEN',
    'raw_key has the shape of an issued secret, a JWT or a macaroon and could never be verified.',
  );
}

export function requestIdTaken(): DomainError {
  return new DomainError(
    'already_exists',
    'REQUEST_ID_TAKEN',
    'request_id was used for a key of the other kind.',
  );
}

export function keyLimitReached(limit: number, currentUsage: number): DomainError {
  return new DomainError(
    'payment_required',
    'API_KEY_LIMIT_REACHED',
    `There may be ${limit} live keys, and there are ${currentUsage}.`,
    { metadata: { limit: String(limit), current_usage: String(currentUsage) } },
  );
}
