import { type InputReader } from '@gatehouse/service-kit';
import { bodyReader, requiredId } from '../http/json-body.js';

const TTL_SECONDS_MAX = 30 * 86_400;

export interface FlowResponse {
  id: string;
  url: string;
  expires_at: string;
}

export type StartFlow = { returnTo: string | undefined; ttlSeconds: number | undefined } & (
  { kind: 'sign-up'; schemaId: string } | { kind: 'profile'; identityId: string }
);

export function readStartFlow(body: unknown): StartFlow {
  const input = bodyReader(body);
  const kind = input.raw('kind');
  const shared = {
    returnTo: input.string('return_to'),
    ttlSeconds: readTtl(input),
  };
  const start =
    kind === 'sign-up'
      ? { kind, schemaId: requiredId(input, 'schema_id'), ...shared }
      : kind === 'profile'
        ? { kind, identityId: requiredId(input, 'identity_id'), ...shared }
        : input.addViolation('kind', 'must be "sign-up" or "profile"', undefined);
  input.throwIfInvalid();
  return start as StartFlow;
}

function readTtl(input: InputReader): number | undefined {
  return input.raw('ttl') === ''
    ? input.addViolation('ttl', 'must not be empty', undefined)
    : input.duration('ttl', { max: TTL_SECONDS_MAX });
}
