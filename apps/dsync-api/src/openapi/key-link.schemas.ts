/** Schemas of key links. libs/directory-sync validates input. */
import { LINK_ACTIONS } from '@gatehouse/schemas';
import {
  arrayOf,
  enumOf,
  type Examples,
  flag,
  integer,
  object,
  orNull,
  record,
  type Schemas,
  text,
  time,
} from '@gatehouse/nest-kit/openapi';

const action = (description: string) => enumOf(LINK_ACTIONS, { description, default: 'off' });

const SCOPE: Schemas = { tenant: text(), product: text() };

const SETTINGS: Schemas = {
  actor_prefix: text('Put before the value. Ends with a separator.', { maxLength: 128 }),
  email_domains: arrayOf(text(), {
    description: 'Only addresses at these domains, for email and userName.',
    maxItems: 100,
  }),
  all_actors: flag('The identity provider of the tenant may name any actor.'),
  on_deactivate: action('What happens to the keys of a person whom no directory has active.'),
  on_delete: action('The same for a person whom no directory has.'),
};

const ATTRIBUTE = text(
  'What of a user is the actor_id of keys: id, userName, externalId, email, or a custom attribute.',
);

export const KEY_LINK_SCHEMAS: Schemas = {
  KeyLinkInput: object({ ...SCOPE, attribute: ATTRIBUTE, ...SETTINGS }, [
    'tenant',
    'product',
    'attribute',
  ]),
  KeyLink: record({
    ...SCOPE,
    attribute: ATTRIBUTE,
    ...SETTINGS,
    revision: integer('Rises with each change.'),
    created_at: time(),
    updated_at: time(),
  }),
};

/** Of a directory. */
export const KEY_LINK_STATE = record({
  state: enumOf(['healthy', 'failing']),
  reason: orNull(text('Why the key service does not take what became of people.')),
  snapshot_pending: flag('Whether all of its people are still to be sent.'),
});

const EXAMPLE = {
  tenant: 'customer-17',
  product: 'shop',
  attribute: 'email',
  actor_prefix: '',
  email_domains: ['example.com'],
  all_actors: false,
  on_deactivate: 'pause',
  on_delete: 'revoke',
};

export const KEY_LINK_EXAMPLES: Examples = {
  KeyLinkInput: EXAMPLE,
  KeyLink: {
    ...EXAMPLE,
    revision: 3,
    created_at: '2026-01-15T09:30:00.000Z',
    updated_at: '2026-01-15T09:30:00.000Z',
  },
};
