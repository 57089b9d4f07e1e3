/** The events of users and groups, as webhooks deliver them and as the log lists them. */
import { type EventCatalog, type EventKind } from './event-catalog.js';
import {
  ANY_OBJECT,
  described,
  exactObject,
  FLAG,
  type JsonSchema,
  TEXT,
  TEXTS,
  UUID,
} from './json-schema.js';
import { loggedEventSchema } from './logged-event.js';
import { OPERATIONS_CHANNEL } from './notice.js';

const DIRECTORY = { tenant: TEXT, product: TEXT, directory_id: UUID };

const USER = { first_name: TEXT, last_name: TEXT, email: TEXT, active: FLAG };
/** Members that depend on what the provider sends and on the settings of the directory. */
const DERIVED = {
  roles: described(
    TEXTS,
    'By the role mapping of the directory; without one, those that the provider sends, if any',
  ),
  custom_attributes: described(ANY_OBJECT, 'By the `attribute_mapping` of the directory'),
};
const RAW = described(ANY_OBJECT, 'The SCIM resource as the provider last made it');
const GROUP_RAW = described(ANY_OBJECT, 'The SCIM resource, without its members');

const user = exactObject({ id: UUID, ...USER, raw: RAW }, DERIVED);
const group = exactObject({ id: UUID, name: TEXT, raw: GROUP_RAW });
const membership = exactObject({ id: UUID, ...USER, raw: RAW, group }, DERIVED);

const FORMER = 'The members of `data` that have changed, with their old values';
const previousUser = described(exactObject({}, { ...USER, raw: RAW, ...DERIVED }), FORMER);
const previousGroup = described(exactObject({}, { name: TEXT, raw: GROUP_RAW }), FORMER);

const rolesChange = exactObject({
  id: UUID,
  ...USER,
  previous: described(TEXTS, 'The roles before'),
  current: described(TEXTS, 'The roles now'),
  because: {
    type: 'array',
    description: 'The group through which the user has each new role, or had each former one',
    items: exactObject({
      role: TEXT,
      change: { type: 'string', enum: ['added', 'removed'] },
      group: {
        description: 'Null for the default role',
        anyOf: [exactObject({ id: UUID, name: TEXT }), { type: 'null' }],
      },
    }),
  },
});

/** When it is sent, `data`, and of updates the type of `previous`. */
const EVENTS = {
  'user.created': ['A user was created', user],
  'user.updated': ['A user was changed', user, previousUser],
  'user.deleted': ['A user was deleted', user],
  'user.roles_changed': ['The roles of a user by the role mapping have changed', rolesChange],
  'group.created': ['A group was created', group],
  'group.updated': ['A group was changed, other than its members', group, previousGroup],
  'group.deleted': ['A group was deleted', group],
  'group.user_added': ['A user was added to a group', membership],
  'group.user_removed': ['A user was removed from a group, or one of both was deleted', membership],
} as const satisfies Record<
  string,
  readonly [summary: string, data: JsonSchema, previous?: JsonSchema]
>;

export type DirectoryEventType = keyof typeof EVENTS;

export const DIRECTORY_EVENTS = Object.keys(EVENTS) as DirectoryEventType[];

function kindOf(
  type: string,
  [summary, data, previous]: readonly [string, JsonSchema, JsonSchema?],
): EventKind {
  const members = { before: DIRECTORY, ...(previous && { after: { previous } }) };
  return { summary, schema: loggedEventSchema(type, data, members) };
}

export const DIRECTORY_EVENT_CATALOG: EventCatalog = {
  title: 'Webhooks of Gatehouse directory sync',
  channels: {
    directories: {
      title: 'Events of directories',
      description: 'Sent to the webhooks of a directory.',
      events: Object.fromEntries(
        Object.entries(EVENTS).map(([type, event]) => [type, kindOf(type, event)]),
      ),
    },
    operations: OPERATIONS_CHANNEL,
  },
};
