/** Directory links as JSON Schema (OpenAPI 3.1), and their examples. */
import {
  arrayOf,
  enumOf,
  integer,
  object,
  orNull,
  record,
  schemaRef,
  type Schemas,
  text,
  time,
} from '@gatehouse/nest-kit/openapi';
import { LINK_ACTIONS, PERSON_STATES } from '@gatehouse/schemas';
import { KEY_KINDS } from '../../store/keys/key.types.js';

export const LEAVER_SCHEMAS: Schemas = {
  Leaver: object(
    {
      cause: enumOf(['directory', 'identity'], { description: 'What the person was in.' }),
      directory_id: text('Of a person in a directory.'),
      user_id: text('The user in the directory.'),
      identity_id: text('Of a person in identity forms.'),
    },
    ['cause'],
  ),
  Person: object(
    {
      source: enumOf(['directory', 'identity']),
      directory_id: text('Of a person in a directory.'),
      user_id: text('The user in the directory.'),
      identity_id: text('Of a person in identity forms.'),
      tenant: text(),
      product: text(),
      state: enumOf(PERSON_STATES),
      is_current: {
        type: 'boolean',
        description: 'False for an actor that the person was once, such as a former address.',
      },
      state_time: time('Since when the person is in this state.'),
    },
    ['source', 'tenant', 'product', 'state', 'is_current', 'state_time'],
  ),
  DirectoryLink: record({
    tenant: text(),
    product: text(),
    revision: integer('Rises with each change in directory sync.'),
    attribute: text('The attribute of a person that is an actor_id.'),
    actor_prefix: text('Stands before the value of the attribute.'),
    email_domains: arrayOf(text(), { description: 'Other addresses are ignored; empty for all.' }),
    on_deactivate: enumOf(LINK_ACTIONS),
    on_delete: enumOf(LINK_ACTIONS),
    update_time: time('When the link was changed.'),
    snapshot_time: orNull(time('When all people of a directory were received last.')),
    unmatched_actors: orNull(
      integer('Actors of working keys that were no person, at most 10,000.'),
    ),
    count_time: orNull(time('When they were counted; once a day.')),
  }),
  ListDirectoryLinksResponse: record({
    directory_links: arrayOf(schemaRef('DirectoryLink')),
    next_page_token: text('Empty on the last page.'),
  }),
  KeyOfLeaver: record({
    key_id: text(),
    kind: enumOf(KEY_KINDS),
    name: text(),
    actor_id: text(),
    leaver: schemaRef('Leaver'),
  }),
  DirectoryLinkPreview: record({
    keys: arrayOf(schemaRef('KeyOfLeaver'), {
      description: 'Working keys of people who have left.',
    }),
    next_page_token: text('Empty on the last page.'),
    unmatched_actors: arrayOf(text(), {
      description: 'The first 100 actors of working keys that are no person.',
    }),
    unmatched_actor_count: integer('How many there are, at most 10,000.'),
  }),
};

export const LEAVER = {
  cause: 'directory',
  directory_id: '01983f6e-7c10-7000-8000-5c1d7a9b0142',
  user_id: '01983f6e-7c10-7000-8000-5c1d7a9b0143',
};

export const LEAVER_EXAMPLES = {
  ListDirectoryLinksResponse: {
    directory_links: [
      {
        tenant: 'acme',
        product: 'checkout',
        revision: 2,
        attribute: 'email',
        actor_prefix: '',
        email_domains: ['acme.example'],
        on_deactivate: 'pause',
        on_delete: 'revoke',
        update_time: '2026-01-15T09:30:00.000Z',
        snapshot_time: '2026-01-15T09:30:01.000Z',
        unmatched_actors: 3,
        count_time: '2026-01-16T00:10:00.000Z',
      },
    ],
    next_page_token: '',
  },
  DirectoryLinkPreview: {
    keys: [
      {
        key_id: '01983f6e-7c10-7000-8000-2f6d1c7a9b01',
        kind: 'issued',
        name: 'Laptop',
        actor_id: 'kim@acme.example',
        leaver: LEAVER,
      },
    ],
    next_page_token: '',
    unmatched_actors: ['build-server'],
    unmatched_actor_count: 1,
  },
};
