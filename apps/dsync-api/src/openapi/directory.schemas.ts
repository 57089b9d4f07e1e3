/**
 * Requests and responses about directories for the OpenAPI document. Input is validated by
 * libs/directory-sync.
 */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

const MAPPING = {
  type: 'object',
  additionalProperties: { type: 'string' },
  example: { department: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department' },
} as const;

const TYPES = [
  'azure-scim-v2',
  'okta-scim-v2',
  'onelogin-scim-v2',
  'jumpcloud-scim-v2',
  'generic-scim-v2',
];

const DURATION = {
  oneOf: [
    { type: 'string', example: '1h' },
    { type: 'integer', description: 'seconds' },
  ],
};

export class NewDirectory {
  @ApiPropertyOptional({ description: 'Default: scim-{tenant}-{product}.' })
  name?: string;

  @ApiProperty({ description: 'Holds no colon.' })
  tenant!: string;

  @ApiProperty({ description: 'Holds no colon.' })
  product!: string;

  @ApiPropertyOptional({ enum: TYPES, default: 'generic-scim-v2' })
  type?: string;

  @ApiPropertyOptional({ format: 'uri', description: 'Where events are POSTed.' })
  webhook_url?: string;

  @ApiPropertyOptional({
    description: 'Signs webhooks; one is made when an address comes without.',
  })
  webhook_secret?: string;

  @ApiPropertyOptional({ default: false })
  log_webhook_events?: boolean;

  @ApiPropertyOptional(MAPPING)
  attribute_mapping?: Record<string, string>;
}

export class DirectoryChanges {
  @ApiPropertyOptional()
  name?: string;

  @ApiPropertyOptional()
  log_webhook_events?: boolean;

  @ApiPropertyOptional({ description: 'SCIM requests of a deactivated directory get 403.' })
  deactivated?: boolean;

  @ApiPropertyOptional({ description: 'Empty: no webhook. Any address starts a stopped webhook.' })
  webhook_url?: string;

  @ApiPropertyOptional()
  webhook_secret?: string;

  @ApiPropertyOptional({
    ...DURATION,
    description: 'How long the old secret signs beside the new one.',
  })
  webhook_secret_overlap?: string | number;

  @ApiPropertyOptional({ ...MAPPING, nullable: true })
  attribute_mapping?: Record<string, string> | null;
}

export class SecretRotation {
  @ApiPropertyOptional({
    ...DURATION,
    description: 'How long the old SCIM secret works beside the new one; none by default.',
  })
  overlap?: string | number;
}

class Webhook {
  @ApiProperty({ description: 'Empty without a webhook.' })
  endpoint!: string;

  @ApiProperty()
  secret!: string;
}

class Scim {
  @ApiProperty({ example: '/api/scim/v2.0/8e1522ff-ab24-457a-a35a-cff7391d7ac3' })
  path!: string;

  @ApiProperty({ format: 'uri' })
  endpoint!: string;

  @ApiProperty({ description: 'The bearer token of the identity provider.' })
  secret!: string;
}

export class Directory {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  tenant!: string;

  @ApiProperty()
  product!: string;

  @ApiProperty({ enum: [...TYPES, 'workspace'] })
  type!: string;

  @ApiProperty()
  log_webhook_events!: boolean;

  @ApiProperty()
  deactivated!: boolean;

  @ApiProperty({ type: Webhook })
  webhook!: Webhook;

  @ApiProperty({ type: Scim })
  scim!: Scim;

  @ApiPropertyOptional(MAPPING)
  attribute_mapping?: Record<string, string>;

  @ApiPropertyOptional()
  workspace_domain?: string;

  @ApiPropertyOptional()
  workspace_access_token?: string;

  @ApiPropertyOptional()
  workspace_refresh_token?: string;
}

class WebhookState {
  @ApiProperty({ enum: ['active', 'stopped', 'none'] })
  state!: string;
}

export class DirectoryStatus {
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: true })
  last_sync!: object | null;

  @ApiProperty({ description: 'Events that wait for delivery.' })
  pending!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  oldest_pending_age_seconds!: number | null;

  @ApiProperty({ description: 'Events whose last attempt failed.' })
  dead!: number;

  @ApiProperty({ description: 'Member references that named nobody of the directory.' })
  ignored_members!: number;

  @ApiProperty({ type: WebhookState })
  webhook!: WebhookState;
}
