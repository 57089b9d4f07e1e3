import { type InputReader } from '@gatehouse/service-kit';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { bodyReader, requiredId } from '../http/json-body.js';
import { type FlowKind } from './flow.types.js';

const TTL_SECONDS_MAX = 30 * 86_400;

export class StartFlowRequest {
  @ApiProperty({ enum: ['sign-up', 'profile'] }) kind!: FlowKind;
  @ApiPropertyOptional({ description: 'For a sign-up.' }) schema_id?: string;
  @ApiPropertyOptional({ description: 'For a profile.', format: 'uuid' }) identity_id?: string;
  @ApiPropertyOptional({ description: 'Within ALLOWED_RETURN_URLS.' }) return_to?: string;
  @ApiPropertyOptional({ description: 'A duration of at most 30 days.', example: '15m' })
  ttl?: string;
}

export class FlowResponse {
  @ApiProperty({ description: 'Opens the form: give it to the person alone.' }) id!: string;
  @ApiProperty({ format: 'uri' }) url!: string;
  @ApiProperty({ format: 'date-time' }) expires_at!: string;
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
