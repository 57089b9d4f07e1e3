/** Requests and responses of the admin API. */
import {
  arrayOf,
  enumOf,
  flag,
  integer,
  mapOf,
  object,
  record,
  schemaRef,
  type Schemas,
  text,
  time,
  orNull,
} from '@gatehouse/nest-kit/openapi';
import { LINK_ACTIONS } from '@gatehouse/schemas';
import { SCHEMA_ID_PATTERN } from '../schema-id.js';

const ANY_OBJECT = mapOf(true);
const NEXT_PAGE_TOKEN = text('Empty on the last page.', { example: '' });

const PREVIEW_SCHEMA = {
  schema: mapOf(true, {
    description: 'JSON Schema, draft-07, with an object at properties.traits.',
  }),
};

const PUT_SCHEMA = {
  ...PREVIEW_SCHEMA,
  'public?': flag('Whether anyone may start a sign-up with it at /sign-up?schema=<id>.'),
};

const SCHEMA = {
  id: text(),
  version: integer('The version that this answer shows.'),
  current_version: integer('The version that counts when none is named.'),
  public: flag(),
  created_at: time(),
  schema: ANY_OBJECT,
};

const KEY_LINK = {
  on_delete: enumOf(LINK_ACTIONS, { description: 'What happens to keys whose actor is deleted.' }),
  'actor_prefix?': text('Before the id of an identity, in the actor_id of keys.', {
    maxLength: 128,
  }),
};

export const RECORD_SCHEMAS: Schemas = {
  SchemaPreviewInput: record(PREVIEW_SCHEMA),
  SchemaVersionInput: record(PUT_SCHEMA),
  SchemaInput: record({
    ...PUT_SCHEMA,
    id: text(undefined, { pattern: SCHEMA_ID_PATTERN, example: 'customer' }),
  }),
  SchemaResponse: record(SCHEMA),
  WrittenSchemaResponse: record({
    ...SCHEMA,
    warnings: arrayOf(schemaRef('SchemaWarning'), {
      description: 'Parts of the schema without effect, or ambiguous ones.',
    }),
  }),
  SchemaWarning: record({
    pointer: text(undefined, { example: '/schema/properties/traits/nullable' }),
    code: text(undefined, { example: 'schema.keyword' }),
    message: text(),
  }),
  SchemaListResponse: record({
    schemas: arrayOf(schemaRef('SchemaResponse')),
    next_page_token: NEXT_PAGE_TOKEN,
  }),
  IdentityResponse: record({
    id: text(undefined, { format: 'uuid' }),
    schema_id: text(),
    schema_version: integer('The version by which the traits were last checked.'),
    traits: ANY_OBJECT,
    created_at: time(),
    updated_at: time(),
  }),
  IdentityListResponse: record({
    identities: arrayOf(schemaRef('IdentityResponse')),
    next_page_token: NEXT_PAGE_TOKEN,
  }),
  AuditEvent: record({
    event_id: text(undefined, { format: 'uuid' }),
    type: text(undefined, { example: 'identity.updated' }),
    target_id: text('The id of the schema, identity or flow; empty for a refused call.'),
    caller: text('The id of the administrator; never a credential.'),
    ip: text('The address of the client; empty if it is unknown.'),
    request_id: text(),
    create_time: time(),
    details: mapOf(true, { description: 'Names of the fields that were sent; never values.' }),
  }),
  AuditEventListResponse: record({
    audit_events: arrayOf(schemaRef('AuditEvent')),
    next_page_token: NEXT_PAGE_TOKEN,
  }),
  SearchHits: record({
    hits: arrayOf(schemaRef('SearchHit')),
    is_more: flag('Whether a kind has more hits than this response: search for more of the text.'),
  }),
  SearchHit: record({
    kind: enumOf(['identity', 'schema', 'flow', 'event', 'webhook_endpoint']),
    id: text(),
    title: text('An identifier, the title of a schema, a URL, a type; else the id.'),
    detail: text('One more line, such as the state.'),
    parent_id: text('Empty: nothing here belongs to a directory.', { example: '' }),
  }),
  IdentityInput: record({
    'id?': text('The id of an imported identity; a new one by default.', { format: 'uuid' }),
    schema_id: text(),
    'schema_version?': integer('The current version by default.', { minimum: 1 }),
    traits: ANY_OBJECT,
  }),
  IdentityChanges: {
    ...object({
      traits: mapOf(true, {
        description: 'Merged into the stored traits member by member; null removes a member.',
      }),
      schema_version: integer('Moves the identity to this version of its schema.', { minimum: 1 }),
    }),
    minProperties: 1,
  },
  KeyLinkInput: record(KEY_LINK),
  KeyLink: record({
    ...KEY_LINK,
    revision: integer('Rises with each change.'),
    updated_at: time(),
  }),
  FlowInput: record({
    kind: enumOf(['sign-up', 'profile']),
    'schema_id?': text('For a sign-up.'),
    'identity_id?': text('For a profile.', { format: 'uuid' }),
    'return_to?': text('Within ALLOWED_RETURN_URLS.'),
    'same_browser?': flag('Only the first browser that opens the form may go on.'),
    'ttl?': text('A duration of at most 30 days.', { example: '15m' }),
  }),
  StartedFlowResponse: record({
    id: text('The name of the flow. It opens nothing.', { format: 'uuid' }),
    url: text('Opens the form: give it to the person alone.', { format: 'uri' }),
    expires_at: time(),
  }),
  FlowResponse: record({
    id: text(undefined, { format: 'uuid' }),
    kind: enumOf(['sign-up', 'profile']),
    state: enumOf(['open', 'completed', 'expired']),
    schema_id: text(),
    schema_version: integer(),
    identity_id: orNull(
      text('The identity that was created or changed; of an open sign-up, null.', {
        format: 'uuid',
      }),
    ),
    created_at: time(),
    expires_at: time(),
    completed_at: orNull(time()),
  }),
};
