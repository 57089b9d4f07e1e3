import { DomainError } from '@gatehouse/kit/errors';
import { FormsErrors } from '../errors.js';
import { type Flow } from './flow.types.js';

export type FlowState = 'open' | 'completed' | 'expired';

export function stateOf(flow: Flow): FlowState {
  if (flow.usedAt) return 'completed';
  return flow.expiresAt.getTime() > Date.now() ? 'open' : 'expired';
}

/** @throws DomainError `not_found`, or `gone` when it was used or has expired */
export function requireOpen(flow: Flow | undefined): Flow {
  if (!flow || stateOf(flow) !== 'open') throw endOf(flow);
  return flow;
}

/** Why a flow is not open: only one that was used is reported as submitted. */
export function endOf(flow: Flow | undefined): DomainError {
  if (!flow) return new DomainError(FormsErrors.FLOW_NOT_FOUND);
  return flow.usedAt
    ? new DomainError(FormsErrors.FLOW_USED)
    : new DomainError(FormsErrors.FLOW_EXPIRED);
}
