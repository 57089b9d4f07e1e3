/** Portal sessions as JSON Schema (OpenAPI 3.1), and their examples. */
import {
  arrayOf,
  enumOf,
  integer,
  object,
  record,
  schemaRef,
  type Schemas,
  text,
  time,
  orNull,
} from '@gatehouse/nest-kit/openapi';
import {
  PORTAL_ACTIONS,
  PORTAL_LANGUAGES,
  PORTAL_STATES,
} from '../../store/portal/portal.types.js';

const TERMS: Schemas = {
  actor_id: text('Whose keys the pages show.'),
  allow: arrayOf(enumOf(PORTAL_ACTIONS), { description: 'Besides looking; default all.' }),
  scopes: arrayOf(text(), { description: 'Scopes that new keys may have; at most 50.' }),
  tags: arrayOf(text(), { description: 'Tags of new keys.' }),
  prefix: text('Prefix of new keys; empty for the default.'),
  max_keys: integer('How many live keys the actor may have to make one; default 10.', {
    minimum: 1,
    maximum: 1000,
  }),
  rate_limits: arrayOf(schemaRef('RateLimit'), { description: 'Limits of new keys; at most 8.' }),
  return_url: text('Where the pages lead back to: https, or within ALLOWED_RETURN_URLS.'),
};

export const PORTAL_SCHEMAS: Schemas = {
  PortalSession: record({
    session_id: text(),
    state: enumOf(PORTAL_STATES),
    ...TERMS,
    key_ttl: text('How long new keys live; empty for DEFAULT_TTL.'),
    language: enumOf(['', ...PORTAL_LANGUAGES], { description: 'Empty for that of the browser.' }),
    create_time: time(),
    expire_time: time(),
    open_time: orNull(time('When its address was opened.')),
    revoke_time: orNull(time()),
  }),
  CreatePortalSessionRequest: object(
    {
      ...TERMS,
      key_ttl: text('How long new keys live, such as "90d"; default DEFAULT_TTL.', {
        minLength: 1,
      }),
      language: enumOf(PORTAL_LANGUAGES, { description: 'Default: that of the browser.' }),
      ttl: text('5 minutes to 24 hours, such as "1h"; default 1h.', { minLength: 1 }),
    },
    ['actor_id'],
  ),
  CreatePortalSessionResponse: record({
    portal_session: schemaRef('PortalSession'),
    url: text('Opens once; not shown again.'),
  }),
  ListPortalSessionsResponse: record({
    portal_sessions: arrayOf(schemaRef('PortalSession')),
    next_page_token: text(),
  }),
};

const TIME = '2026-01-15T09:30:00Z';
const LIMIT = { name: 'requests', quota: '600', window: '1m', burst: '100', scope: 'actor' };
const REQUEST = {
  actor_id: 'user_42',
  scopes: ['invoices:read'],
  max_keys: 5,
  key_ttl: '90d',
  rate_limits: [LIMIT],
  return_url: 'https://app.example.com/settings',
};
const SESSION = {
  session_id: '01983f74-2c10-7000-8000-7d5e4c3b2a30',
  state: 'UNOPENED',
  ...REQUEST,
  allow: [...PORTAL_ACTIONS],
  tags: [],
  prefix: '',
  language: '',
  rate_limits: [{ ...LIMIT, strict: false }],
  create_time: TIME,
  expire_time: '2026-01-15T10:30:00Z',
  open_time: null,
  revoke_time: null,
};

export const PORTAL_EXAMPLES = {
  CreatePortalSessionRequest: REQUEST,
  PortalSession: SESSION,
  CreatePortalSessionResponse: {
    portal_session: SESSION,
    url: 'https://keys.example.com/portal/Wm9yZ2UtZGFzcy1kZXItTGluay1nZWhlaW0tYmxlaWI',
  },
  ListPortalSessionsResponse: { portal_sessions: [SESSION], next_page_token: '' },
};
