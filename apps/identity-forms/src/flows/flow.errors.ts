import { DomainError } from '@gatehouse/service-kit';

export function flowNotFound(): DomainError {
  return new DomainError('not_found', 'FLOW_NOT_FOUND', 'The flow does not exist.');
}

export function flowExpired(): DomainError {
  return new DomainError('gone', 'FLOW_EXPIRED', 'The flow has expired. Start a new one.');
}

export function flowUsed(): DomainError {
  return new DomainError('gone', 'FLOW_USED', 'The flow was already submitted.');
}

export function csrfRefused(reason: string): DomainError {
  return new DomainError('permission_denied', 'CSRF', `The submission was refused: ${reason}.`);
}
