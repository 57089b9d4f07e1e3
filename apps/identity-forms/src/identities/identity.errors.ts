import { DomainError } from '@gatehouse/service-kit';

export function identityNotFound(): DomainError {
  return new DomainError('not_found', 'IDENTITY_NOT_FOUND', 'The identity does not exist.');
}
