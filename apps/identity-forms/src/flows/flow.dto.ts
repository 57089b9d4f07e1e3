import { InputReader } from '@gatehouse/service-kit';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
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
  const input = InputReader.of(body);
  const kind = input.string('kind');
  const shared = {
    returnTo: input.string('return_to'),
    ttlSeconds: input.duration('ttl', { max: TTL_SECONDS_MAX }),
  };
  const start =
    kind === 'sign-up'
      ? { kind, schemaId: input.requiredText('schema_id'), ...shared }
      : kind === 'profile'
        ? { kind, identityId: input.requiredText('identity_id'), ...shared }
        : input.addViolation('kind', 'must be "sign-up" or "profile"', undefined);
  input.throwIfInvalid();
  return start as StartFlow;
}
