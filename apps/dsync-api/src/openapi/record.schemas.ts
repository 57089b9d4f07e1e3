/** Users, groups, events and errors in responses of the management API. */
import {
  arrayOf,
  enumOf,
  flag,
  integer,
  mapOf,
  record,
  type Schema,
  schemaRef,
  type Schemas,
  text,
  time,
  orNull,
  number,
} from '@gatehouse/nest-kit/openapi';
import { endpointSchemas, EVENT_DELIVERY } from '@gatehouse/delivery/nest';
import { HIT_KINDS } from '@gatehouse/directory-sync';
import { DIRECTORY_EVENTS } from '@gatehouse/schemas';

const UUID = text(undefined, { format: 'uuid' });

function resource(description?: string): Schema {
  return mapOf(true, text(description, { type: 'object' }));
}

export const RECORD_SCHEMAS: Schemas = {
  Fault: record({ message: text(), code: integer('The HTTP status.') }),
  User: record({
    id: UUID,
    directory_id: UUID,
    first_name: text(),
    last_name: text(),
    email: text(),
    active: flag(),
    'roles?': arrayOf(text(), {
      description:
        'By the role mapping; without one, the values of `roles`, if the provider sends any.',
    }),
    raw: resource('The SCIM resource as the provider last made it, with its present groups.'),
    'custom_attributes?': resource('By the attribute_mapping of the directory.'),
  }),
  Membership: record({ group_id: UUID, user_id: UUID }),
  Group: record({
    id: UUID,
    directory_id: UUID,
    name: text(),
    raw: resource('In lists with the first 200 `members`.'),
    'members_total?': integer('In lists, and without members: their number.'),
    'members?': arrayOf(schemaRef('Membership'), { description: 'Where a single group is read.' }),
  }),
  GroupMember: record({
    'user_id?': text('Of a user.', { format: 'uuid' }),
    'group_id?': text('Of a group inside the group.', { format: 'uuid' }),
    name: text('The display name, or else the userName.'),
  }),
  EventRecord: record({
    event: enumOf(DIRECTORY_EVENTS),
    tenant: text(),
    product: text(),
    directory_id: UUID,
    data: resource('A user, a group, or a user with its group.'),
    id: text('The same for every delivery of this event.', { format: 'uuid' }),
    sequence: integer('Grows along the log; numbers may be missing.'),
    created_at: time(),
    'previous?': resource('Changed members of data with old values.'),
    ...EVENT_DELIVERY,
  }),
  AuditEvent: record({
    event_id: UUID,
    type: text('Such as directory.created.', { example: 'directory.created' }),
    target_id: text('The id of the directory or event; empty if there is not exactly one.'),
    caller: text('The id of the administrator; never a credential.'),
    ip: text('The address of the client; empty if it is unknown.'),
    request_id: text(),
    create_time: time(),
    details: resource('Names of the fields that were sent, and ids; never values.'),
  }),
  SearchResult: record({
    hits: arrayOf(
      record({
        kind: enumOf(HIT_KINDS),
        id: UUID,
        title: text('The name, the userName, the URL, or the type of an event.'),
        detail: text('One more line, such as the state, the tenant and the product.'),
        parent_id: text('The id of its directory; empty for a directory.'),
      }),
    ),
    is_more: flag('Whether there are more hits of a kind than pageLimit.'),
  }),
  EventCursor: record({ id: text('Empty while there is no event.') }),
  ListedWebhookEndpoint: record({
    directory_id: UUID,
    directory_name: text(),
    tenant: text(),
    product: text(),
    enabled: flag('False: the directory is deactivated, so nothing is sent.'),
    ...endpointSchemas(DIRECTORY_EVENTS),
  }),
  WebhookLog: record({
    id: text(),
    directory_id: UUID,
    event_id: UUID,
    webhook_endpoint: text(),
    status_code: orNull(integer()),
    duration_ms: number(),
    error: orNull(text()),
    created_at: time(),
    payload: resource('What was sent.'),
    response: orNull(text('The first 2 KiB of the response.')),
  }),
  Batch: record({
    directories: integer('Directories with undelivered events.'),
    events: integer('Undelivered events.'),
  }),
};
