/** Examples of requests, records and errors, by the name of their schema. */
import { webhookExamples } from '@gatehouse/delivery/nest';
import { type Examples } from '@gatehouse/nest-kit/openapi';
import { REQUESTS_STATUS_EXAMPLE } from './request.schemas.js';

const DIRECTORY_ID = '01983f6e-7c10-7000-8000-2f6d1c7a9b01';
const USER_ID = '01983f70-1b42-7000-8000-8d03c5e6f712';
const GROUP_ID = '01983f71-52aa-7000-8000-c4b7d1e90a33';
const EVENT_ID = '01983f72-0c4e-7000-8000-5e8b2a9d7f44';
const TIME = '2026-01-15T09:30:00.000Z';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';
const SCIM_PATH = `/api/scim/v2.0/${DIRECTORY_ID}`;

const NEW_SCIM_USER = {
  schemas: [`${CORE}:User`],
  userName: 'ada@example.com',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  active: true,
};
const NEW_SCIM_GROUP = { schemas: [`${CORE}:Group`], displayName: 'Engineering' };
const SCIM_USER = {
  ...NEW_SCIM_USER,
  id: USER_ID,
  meta: metaOf('User', `Users/${USER_ID}`),
};
const SCIM_GROUP = {
  ...NEW_SCIM_GROUP,
  id: GROUP_ID,
  members: [{ value: USER_ID, type: 'User', display: 'ada@example.com' }],
  meta: metaOf('Group', `Groups/${GROUP_ID}`),
};
const USER = {
  id: USER_ID,
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  active: true,
  raw: SCIM_USER,
};

const HEALTHY = {
  state: 'healthy',
  reason: null,
  failing_since: null,
  last_success_at: TIME,
  next_attempt_at: null,
};

const WEBHOOKS = webhookExamples({
  event: 'user.created',
  tenant: 'customer-17',
  product: 'shop',
  directory_id: DIRECTORY_ID,
  data: USER,
});

const NAME = 'scim-customer-17-shop';
const DIRECTORY = {
  id: DIRECTORY_ID,
  name: NAME,
  tenant: 'customer-17',
  product: 'shop',
  type: 'okta-scim-v2',
  log_webhook_events: false,
  deactivated: false,
  strict: false,
  webhook: { endpoint: '', secret: '' },
  scim: {
    path: SCIM_PATH,
    endpoint: `https://api.example.com${SCIM_PATH}`,
    secret: 'the-bearer-token-of-the-identity-provider',
  },
};
const FAILURE = 'the endpoint answered 503';

export const EXAMPLES: Examples = {
  DirectoryInput: { tenant: 'customer-17', product: 'shop', type: 'okta-scim-v2' },
  DirectoryChanges: { name: 'Okta of customer 17', log_webhook_events: true },
  SecretRotation: { overlap: '1h' },
  AuditEvent: {
    event_id: '01983f6e-7c11-7000-8000-b1f0a2c4d6e8',
    type: 'directory.updated',
    target_id: DIRECTORY_ID,
    caller: 'admin-key:1f2e3d4c',
    ip: '192.0.2.10',
    request_id: 'b7f0c1d2e3a4',
    create_time: TIME,
    details: { fields: ['name'] },
  },
  Directory: DIRECTORY,
  ListedDirectory: {
    ...DIRECTORY,
    health: {
      state: 'failing',
      has_errors: true,
      errors: [{ state: 'failing', reason: FAILURE, since: TIME }],
    },
  },
  DirectoryStatus: {
    health: { state: 'healthy', has_errors: false, errors: [] },
    last_sync: {
      started_at: TIME,
      finished_at: TIME,
      result: 'succeeded',
      error: null,
      counts: null,
      last_success_at: TIME,
      last_error_at: null,
    },
    requests: REQUESTS_STATUS_EXAMPLE,
    last_request_at: TIME,
    pending: 0,
    oldest_pending_age_seconds: null,
    dead: 0,
    ignored_members: 0,
    webhook: HEALTHY,
    key_link: null,
    workspace: null,
  },
  AuthorizationUrl: {
    authorizationUrl: `https://accounts.google.com/o/oauth2/v2/auth?client_id=1234&state=${DIRECTORY_ID}`,
  },
  User: { ...USER, directory_id: DIRECTORY_ID },
  SearchResult: {
    hits: [
      {
        kind: 'user',
        id: USER_ID,
        title: USER.email,
        detail: 'customer-17 · shop',
        parent_id: DIRECTORY_ID,
      },
    ],
    is_more: false,
  },
  Group: { id: GROUP_ID, directory_id: DIRECTORY_ID, name: 'Engineering', raw: SCIM_GROUP },
  GroupMember: { user_id: USER_ID, name: 'Ada Lovelace' },
  ...WEBHOOKS,
  ListedWebhookEndpoint: {
    directory_id: DIRECTORY_ID,
    directory_name: NAME,
    tenant: 'customer-17',
    product: 'shop',
    enabled: true,
    ...(WEBHOOKS.WebhookEndpoint as object),
    state: 'failing',
    reason: FAILURE,
    failures: 3,
    failing_since: TIME,
    next_attempt_at: TIME,
  },
  EventCursor: { id: EVENT_ID },
  WebhookLog: {
    id: '7',
    directory_id: DIRECTORY_ID,
    event_id: EVENT_ID,
    webhook_endpoint: 'https://app.example.com/hooks',
    status_code: 200,
    duration_ms: 42,
    error: null,
    created_at: TIME,
    payload: { event: 'user.created' },
    response: 'ok',
  },
  Batch: { directories: 1, events: 3 },
  ScimUserBody: NEW_SCIM_USER,
  ScimUser: SCIM_USER,
  ScimGroupBody: NEW_SCIM_GROUP,
  ScimGroup: SCIM_GROUP,
  ScimUserList: listOf(SCIM_USER),
  ScimGroupList: listOf(SCIM_GROUP),
  ScimResourceList: listOf(SCIM_USER),
  ScimPatch: {
    schemas: [`${MESSAGES}:PatchOp`],
    Operations: [{ op: 'replace', path: 'displayName', value: 'Platform' }],
  },
  ScimSearch: {
    schemas: [`${MESSAGES}:SearchRequest`],
    filter: 'meta.lastModified gt "2026-01-01T00:00:00Z"',
    startIndex: 1,
    count: 10,
  },
  ScimBulk: {
    schemas: [`${MESSAGES}:BulkRequest`],
    Operations: [
      {
        method: 'POST',
        path: '/Users',
        bulkId: 'grace',
        data: { ...NEW_SCIM_USER, userName: 'grace@example.com' },
      },
    ],
  },
  ScimBulkAnswer: {
    schemas: [`${MESSAGES}:BulkResponse`],
    Operations: [
      {
        method: 'POST',
        bulkId: 'grace',
        version: 'W/"1"',
        status: '201',
        location: `https://api.example.com${SCIM_PATH}/Users/${USER_ID}`,
      },
    ],
  },
  ScimProviderConfig: {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: 1000, maxPayloadSize: 1048576 },
    filter: { supported: true, maxResults: 1000 },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    meta: metaOf('ServiceProviderConfig', 'ServiceProviderConfig'),
  },
  ScimResourceType: resourceType('User'),
  ScimResourceTypeList: listOf(resourceType('User')),
  ScimSchema: schema(),
  ScimSchemaList: listOf(schema()),
};

export const ERROR_EXAMPLES = {
  400: refused(400, 'tenant is required.'),
  401: refused(401, 'Unauthorized'),
  404: refused(404, 'Directory configuration not found.'),
};

export const SCIM_ERROR_EXAMPLES = {
  401: scimError('401', 'A valid bearer token of this directory is required.'),
  403: scimError('403', 'The directory is deactivated.'),
};

function metaOf(resourceType: string, path: string): object {
  return {
    resourceType,
    created: TIME,
    lastModified: TIME,
    version: 'W/"1"',
    location: `https://api.example.com${SCIM_PATH}/${path}`,
  };
}

function listOf(resource: object): object {
  return {
    schemas: [`${MESSAGES}:ListResponse`],
    totalResults: 1,
    startIndex: 1,
    itemsPerPage: 1,
    Resources: [resource],
  };
}

function resourceType(name: string): object {
  return {
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema: `${CORE}:${name}`,
  };
}

function schema(): object {
  const userName = { name: 'userName', type: 'string', multiValued: false, required: true };
  return { id: `${CORE}:User`, name: 'User', description: 'User', attributes: [userName] };
}

function refused(code: number, message: string): object {
  return { data: null, error: { message, code } };
}

function scimError(status: string, detail: string): object {
  return { schemas: [`${MESSAGES}:Error`], status, detail };
}
