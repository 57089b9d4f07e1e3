import { type InputReader } from '@gatehouse/kit/input';
import { bodyReader, requiredId, STRICT } from '../http/json-body.js';
import { type FlowState, stateOf } from './flow-state.js';
import { type Flow, type FlowKind } from './flow.types.js';

const TTL_SECONDS_MAX = 30 * 86_400;

export interface StartedFlowResponse {
  id: string;
  url: string;
  expires_at: string;
}

export interface FlowResponse {
  id: string;
  kind: FlowKind;
  state: FlowState;
  schema_id: string;
  schema_version: number;
  identity_id: string | null;
  created_at: string;
  expires_at: string;
  completed_at: string | null;
}

export type StartFlow = {
  returnTo: string | undefined;
  ttlSeconds: number | undefined;
  isBound: boolean | undefined;
} & ({ kind: 'sign-up'; schemaId: string } | { kind: 'profile'; identityId: string });

export function readStartFlow(body: unknown): StartFlow {
  const input = bodyReader(body, STRICT);
  const kind = input.raw('kind');
  const shared = {
    returnTo: input.string('return_to'),
    ttlSeconds: readTtl(input),
    isBound: input.boolean('same_browser'),
  };
  // Both are read for every kind, so that the one that does not apply can be refused.
  const [schemaId, identityId] = [input.raw('schema_id'), input.raw('identity_id')];
  if (kind !== 'sign-up' && kind !== 'profile') {
    input.addViolation('kind', 'must be "sign-up" or "profile"', undefined);
  } else if (kind === 'sign-up' && identityId !== undefined) {
    input.addViolation('identity_id', 'belongs to a profile flow', undefined);
  } else if (kind === 'profile' && schemaId !== undefined) {
    input.addViolation('schema_id', 'belongs to a sign-up flow', undefined);
  }
  const start =
    kind === 'profile'
      ? { kind, identityId: requiredId(input, 'identity_id'), ...shared }
      : kind === 'sign-up' && { kind, schemaId: requiredId(input, 'schema_id'), ...shared };
  input.throwIfInvalid();
  return start as StartFlow;
}

export function flowResponse(flow: Flow): FlowResponse {
  return {
    id: flow.id,
    kind: flow.kind,
    state: stateOf(flow),
    schema_id: flow.schemaId,
    schema_version: flow.schemaVersion,
    identity_id: flow.resultIdentityId ?? flow.identityId,
    created_at: flow.createdAt.toISOString(),
    expires_at: flow.expiresAt.toISOString(),
    completed_at: flow.usedAt?.toISOString() ?? null,
  };
}

function readTtl(input: InputReader): number | undefined {
  return input.raw('ttl') === ''
    ? input.addViolation('ttl', 'must not be empty', undefined)
    : input.duration('ttl', { max: TTL_SECONDS_MAX });
}
