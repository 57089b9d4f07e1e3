/** Users, groups and events in responses of the management API, for the OpenAPI document. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

const RESOURCE = { type: 'object', additionalProperties: true } as const;

const EVENT_TYPES = [
  'user.created',
  'user.updated',
  'user.deleted',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.user_added',
  'group.user_removed',
];

export class User {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  first_name!: string;

  @ApiProperty()
  last_name!: string;

  @ApiProperty()
  email!: string;

  @ApiProperty()
  active!: boolean;

  @ApiProperty({ ...RESOURCE, description: 'The SCIM resource as the provider last made it.' })
  raw!: object;

  @ApiPropertyOptional({ ...RESOURCE, description: 'By the attribute_mapping of the directory.' })
  custom_attributes?: object;
}

class Membership {
  @ApiProperty({ format: 'uuid' })
  group_id!: string;

  @ApiProperty({ format: 'uuid' })
  user_id!: string;
}

export class Group {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty(RESOURCE)
  raw!: object;

  @ApiPropertyOptional({ type: [Membership], description: 'Where a single group is read.' })
  members?: Membership[];
}

export class GroupMember {
  @ApiProperty({ format: 'uuid' })
  user_id!: string;
}

class DeliveryAttempt {
  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null when nobody answered.' })
  status_code!: number | null;

  @ApiProperty()
  duration_ms!: number;

  @ApiProperty({ type: 'string', nullable: true })
  error!: string | null;
}

export class Event {
  @ApiProperty({ enum: EVENT_TYPES })
  event!: string;

  @ApiProperty()
  tenant!: string;

  @ApiProperty()
  product!: string;

  @ApiProperty({ format: 'uuid' })
  directory_id!: string;

  @ApiProperty({ ...RESOURCE, description: 'A user, a group, or a user with its group.' })
  data!: object;

  @ApiProperty({ format: 'uuid', description: 'The same for every delivery of this event.' })
  id!: string;

  @ApiProperty({ description: 'Grows along the log; numbers may be missing.' })
  sequence!: number;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiPropertyOptional({ ...RESOURCE, description: 'Changed members of data with old values.' })
  previous?: object;

  @ApiProperty({ enum: ['pending', 'delivered', 'dead', 'not_sent'] })
  state!: string;

  @ApiProperty({ type: [DeliveryAttempt] })
  attempts!: DeliveryAttempt[];
}

export class Batch {
  @ApiProperty({ description: 'Directories with undelivered events.' })
  directories!: number;

  @ApiProperty({ description: 'Undelivered events.' })
  events!: number;
}
