/** Setup links. */
import {
  arrayOf,
  enumOf,
  type Examples,
  object,
  record,
  type Schemas,
  text,
  time,
  orNull,
} from '@gatehouse/nest-kit/openapi';
import { DOMAIN, NEW_TYPE, WORKSPACE_PROVIDER } from './directory.schemas.js';

const LOCALES = ['en', 'de', 'fr', 'es'];
const ACTIONS = ['token', 'mapping', 'roles', 'groups'];
const uuid = { format: 'uuid' };

const LINK: Schemas = {
  id: text(undefined, uuid),
  directory_id: text(undefined, uuid),
  state: enumOf(['unopened', 'open', 'connected', 'completed', 'expired', 'revoked', 'ended']),
  allow: arrayOf(enumOf(ACTIONS)),
  attributes: arrayOf(text(), { description: 'Custom attributes that the pages offer to map.' }),
  roles: arrayOf(text(), { description: 'Roles that the pages offer for groups.' }),
  return_url: orNull(text()),
  locale: orNull(text('One of en, de, fr and es; null: the language of the browser.')),
  provider: orNull(
    text('Chosen on the pages: okta, entra, onelogin and so on; never of a workspace.'),
  ),
  created_at: time(),
  expires_at: time('When it can no longer be opened.'),
  opened_at: orNull(time()),
  session_expires_at: orNull(time()),
  connected_at: orNull(
    time('When the first request was accepted, or the first users of a workspace were read.'),
  ),
  completed_at: orNull(time()),
  revoked_at: orNull(time()),
};

export const SETUP_SCHEMAS: Schemas = {
  SetupLinkInput: object({
    directory_id: text(
      'An existing directory; without it, tenant and product create a new one.',
      uuid,
    ),
    tenant: text(undefined, { maxLength: 512 }),
    product: text(undefined, { maxLength: 512 }),
    name: text('Name of the new directory.', { maxLength: 512 }),
    type: NEW_TYPE,
    workspace_provider: WORKSPACE_PROVIDER,
    workspace_domain: text(DOMAIN),
    expires_in: text('From 10m to 30d; 7d by default.', { example: '7d' }),
    session_expires_in: text('From 10m to 7d; 24h by default.', { example: '24h' }),
    return_url: text('Where the last page leads.', { format: 'uri', maxLength: 2048 }),
    allow: arrayOf(enumOf(ACTIONS), {
      description:
        'What the pages offer: token by default. Nothing by default for a workspace directory, which may have groups and roles.',
    }),
    attributes: arrayOf(text(undefined, { maxLength: 64 }), {
      description: 'With mapping: custom attributes; by default those that the directory maps.',
    }),
    roles: arrayOf(text(undefined, { maxLength: 128 }), {
      description: 'With roles in allow: those that the pages offer for groups; at most 20.',
    }),
    locale: enumOf(LOCALES),
  }),
  SetupLink: record(LINK),
  CreatedSetupLink: record({ ...LINK, url: text('Shown only here. It opens once.') }),
};

const TIME = '2026-01-15T09:30:00.000Z';
const EXAMPLE = {
  id: '01983f74-2c10-7000-8000-7d5e4c3b2a20',
  directory_id: '01983f74-2c10-7000-8000-7d5e4c3b2a11',
  state: 'unopened',
  allow: ['token'],
  attributes: [],
  roles: [],
  return_url: 'https://app.example.com/settings',
  locale: null,
  provider: null,
  created_at: TIME,
  expires_at: '2026-01-22T09:30:00.000Z',
  opened_at: null,
  session_expires_at: null,
  connected_at: null,
  completed_at: null,
  revoked_at: null,
};

export const SETUP_EXAMPLES: Examples = {
  SetupLinkInput: {
    tenant: 'acme',
    product: 'shop',
    name: 'Acme',
    expires_in: '7d',
    return_url: 'https://app.example.com/settings',
  },
  SetupLink: EXAMPLE,
  CreatedSetupLink: {
    ...EXAMPLE,
    url: 'https://api.example.com/setup/Wm9yZ2UtZGFzcy1kZXItTGluay1nZWhlaW0tYmxlaWI',
  },
};
