import { invalidField, parseDuration } from '@gatehouse/service-kit';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { objectBody, textMember } from '../http/json-body.js';
import { type FlowKind } from './flow.types.js';

const TTL_SECONDS_MAX = 30 * 86_400;

export class StartFlowRequest {
  @ApiProperty({ enum: ['sign-up', 'profile'] }) kind: FlowKind;
  @ApiPropertyOptional({ description: 'For a sign-up.' }) schema_id?: string;
  @ApiPropertyOptional({ description: 'For a profile.', format: 'uuid' }) identity_id?: string;
  @ApiPropertyOptional({ description: 'Within ALLOWED_RETURN_URLS.' }) return_to?: string;
  @ApiPropertyOptional({ description: 'A duration of at most 30 days.', example: '15m' })
  ttl?: string;
}

export class FlowResponse {
  @ApiProperty({ description: 'Opens the form: give it to the person alone.' }) id: string;
  @ApiProperty({ format: 'uri' }) url: string;
  @ApiProperty({ format: 'date-time' }) expires_at: string;
}

export type StartFlow = { returnTo: string | undefined; ttlSeconds: number | undefined } & (
  { kind: 'sign-up'; schemaId: string } | { kind: 'profile'; identityId: string }
);

export function readStartFlow(body: unknown): StartFlow {
  const members = objectBody(body);
  const shared = {
    returnTo: textMember(members, 'return_to'),
    ttlSeconds: readTtl(textMember(members, 'ttl')),
  };
  const kind = textMember(members, 'kind');
  if (kind === 'sign-up') {
    const schemaId = textMember(members, 'schema_id');
    if (schemaId === undefined) throw invalidField('schema_id', 'is missing');
    return { kind, schemaId, ...shared };
  }
  if (kind === 'profile') {
    const identityId = textMember(members, 'identity_id');
    if (identityId === undefined) throw invalidField('identity_id', 'is missing');
    return { kind, identityId, ...shared };
  }
  throw invalidField('kind', 'must be "sign-up" or "profile"');
}

function readTtl(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  let seconds: number;
  try {
    seconds = parseDuration(text);
  } catch (error) {
    throw invalidField('ttl', (error as Error).message);
  }
  if (seconds > TTL_SECONDS_MAX) throw invalidField('ttl', 'must be at most 30 days');
  return seconds;
}
