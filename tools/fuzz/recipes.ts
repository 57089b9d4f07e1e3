/** What the example of an operation lacks to succeed: ids, credentials, and states. */
import { type HttpService } from '../live-stack/whole-stack.js';
import { type Tenant } from '../live-stack/tenant.js';

interface Ingredients {
  /** Parameters of the path. */
  ids?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: object;
}

export interface Recipe {
  make?: (tenant: Tenant) => Ingredients | Promise<Ingredients>;
  isUsedUp?: boolean;
  isScoped?: boolean;
}

const once = (make: Recipe['make']): Recipe => ({ make, isUsedUp: true });
const revoked = once(async (tenant) => ({ ids: { key_id: (await tenant.newKey()).id } }));
const credential = ({ key }: Tenant) => ({ body: { credential: key.secret } });
const authorized = ({ key }: Tenant) => ({ headers: { 'x-api-key': key.secret } });
const imports = (tenant: Tenant) => {
  const item = { raw_key: `${tenant.fresh()}-imported`, name: tenant.marker, actor_id: 'a' };
  return { body: { requests: [item] } };
};

const KEYS: Readonly<Record<string, Recipe>> = {
  adminImportApiKey: once((tenant) => ({ body: { raw_key: `${tenant.fresh()}-imported` } })),
  adminBatchCreateImportedApiKeys: once(imports),
  adminBatchImportApiKeys: once(imports),
  adminDeleteImportedApiKey: once(async (tenant) => ({
    ids: { key_id: (await tenant.newImported()).id },
  })),
  adminRotateIssuedApiKey: revoked,
  adminRevokeApiKey: revoked,
  adminRevokeIssuedApiKey: revoked,
  adminRevokeImportedApiKey: once(async (tenant) => ({
    ids: { key_id: (await tenant.newImported()).id },
  })),
  revokeApiKey: once(async (tenant) => ({ body: { credential: (await tenant.newKey()).secret } })),
  adminVerifyApiKey: { make: credential, isScoped: true },
  adminDeriveToken: { make: credential, isScoped: true },
  adminBatchVerifyApiKeys: {
    make: ({ key, imported, tokens }) => ({
      body: {
        requests: [key.secret, imported.secret, ...tokens].map((each) => ({ credential: each })),
      },
    }),
    isScoped: true,
  },
  adminAuthorize: { make: authorized, isScoped: true },
  adminAuthorizePost: { make: authorized, isScoped: true },
  adminResendKeyEvent: {
    make: (tenant) => ({
      ids: { event_id: tenant.keyEventId },
      body: { endpoint_id: tenant.keyEndpointId },
    }),
  },
  adminDeleteWebhookEndpoint: once(async (tenant) => ({
    ids: { endpoint_id: await tenant.newKeyEndpoint() },
  })),
};

const run = once(async (tenant) => {
  await tenant.holdRun();
  return { ids: { directoryId: tenant.workspace.id, runId: tenant.runId } };
});
const record = (id: (tenant: Tenant) => string): Recipe => ({
  make: (tenant) => ({ ids: { id: id(tenant) }, query: { directoryId: tenant.directory.id } }),
  isScoped: true,
});
/** Of a directory of its own, because a directory has ten at most. */
const newScimToken = async (tenant: Tenant) => {
  const { id: directoryId } = await tenant.newDirectory();
  const { body } = await tenant.call<{ data: { id: string } }>(
    'dsync-api',
    'POST',
    `/api/v1/dsync/${directoryId}/scim-tokens`,
    { json: { name: tenant.marker } },
  );
  return { directoryId, id: body.data.id };
};
const scimToken: Recipe = once(async (tenant) => ({ ids: await newScimToken(tenant) }));
/** A link of a directory of its own, which has been opened. */
const openedSetupLink: Recipe = once(async (tenant) => {
  const { id: directory_id } = await tenant.newDirectory();
  const { body } = await tenant.call<{ data: { id: string; url: string } }>(
    'dsync-api',
    'POST',
    '/api/v1/dsync/setup-links',
    { json: { directory_id } },
  );
  await tenant.call('dsync-api', 'POST', new URL(body.data.url).pathname, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return { ids: { id: body.data.id } };
});
const workspace = ({ workspace: { id } }: Tenant) => ({ ids: { id, directoryId: id } });

const SYNC: Readonly<Record<string, Recipe>> = {
  getDirectoryUser: record(({ userId }) => userId),
  getDirectoryGroup: record(({ groupId }) => groupId),
  listDirectoryGroupMembers: record(({ groupId }) => groupId),
  listDirectoryUsers: record(() => ''),
  listDirectoryGroups: record(() => ''),
  getEvent: { make: ({ eventId }) => ({ ids: { id: eventId } }), isScoped: true },
  resendEvent: {
    make: ({ eventId }) => ({ ids: { id: eventId }, body: { endpoint_id: undefined } }),
  },
  getRequest: {
    make: ({ directory, requestId }) => ({ ids: { directoryId: directory.id, id: requestId } }),
    isScoped: true,
  },
  getScimToken: scimToken,
  updateScimToken: scimToken,
  rotateScimToken: scimToken,
  deleteScimToken: scimToken,
  retireDirectorySecret: once(async (tenant) => ({
    ids: { id: (await newScimToken(tenant)).directoryId },
  })),
  getSetupLink: openedSetupLink,
  revokeSetupLink: openedSetupLink,
  endSetupSession: openedSetupLink,
  getRoleMapping: {
    make: async (tenant) => {
      const { id } = tenant.managed;
      const json = { default_role: tenant.marker, rules: [] };
      await tenant.call('dsync-api', 'PUT', `/api/v1/dsync/${id}/role-mappings`, { json });
      return { ids: { directoryId: id } };
    },
    isScoped: true,
  },
  approveRun: run,
  discardRun: run,
  getRun: {
    make: ({ workspace: { id }, runId }) => ({ ids: { directoryId: id, runId } }),
    isScoped: true,
  },
  syncWorkspace: once(async (tenant) => ({
    ids: { directoryId: (await tenant.newDirectory({ type: 'workspace' })).id },
  })),
  listRuns: { make: workspace, isScoped: true },
  getWorkspaceSettings: { make: workspace, isScoped: true },
  changeWorkspaceSettings: { make: workspace, isScoped: true },
  getAuthorizationUrl: { make: workspace, isScoped: true },
  createDirectory: { make: ({ marker }) => ({ body: { tenant: marker, product: 'shop' } }) },
  listDirectoriesOfProduct: { make: ({ name }) => ({ query: { product: name } }) },
  deleteDirectory: once(async (tenant) => ({ ids: { id: (await tenant.newDirectory()).id } })),
  deleteWebhookEndpoint: once(async (tenant) => ({
    ids: { directoryId: tenant.managed.id, id: await tenant.newEndpoint() },
  })),
};

/** Of SCIM, for the template of a path. */
function scimRecipe(operationId: string, template: string): Recipe {
  const isGroup = template.includes('/Groups');
  const isWrite = /^(replace|delete)/.test(operationId);
  const make = async (tenant: Tenant): Promise<Ingredients> => {
    const { id: directoryId, secret } = tenant.directory;
    const found = isGroup ? tenant.groupId : tenant.userId;
    const made = isWrite ? await (isGroup ? tenant.newGroup() : tenant.newUser()) : found;
    const id = { getResourceType: 'User', getSchema: USER_SCHEMA }[operationId] ?? made;
    return {
      ids: { directoryId, id },
      headers: { authorization: `Bearer ${secret}` },
      body: scimBody(tenant, operationId),
    };
  };
  const isUsedUp = isWrite || /^create|^runBulk/.test(operationId);
  return { make, isUsedUp, isScoped: true };
}

const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

function scimBody(tenant: Tenant, operationId: string): object {
  switch (operationId) {
    case 'createUser':
    case 'replaceUser':
      return tenant.user();
    case 'createGroup':
    case 'replaceGroup':
      return { displayName: tenant.fresh(), members: [{ value: tenant.userId }] };
    case 'patchUser':
      return {
        Operations: [
          { op: 'replace', path: 'title', value: tenant.marker },
          { op: 'add', path: 'emails[type eq "home"].value', value: 'home@example.com' },
          { op: 'replace', value: { active: true, 'name.givenName': 'Ada' } },
        ],
      };
    case 'patchGroup':
      return {
        Operations: [
          { op: 'add', path: 'members', value: [{ value: tenant.userId }] },
          { op: 'remove', path: `members[value eq "${tenant.userId}"]` },
        ],
      };
    case 'searchUsers':
      return { filter: `userName sw "${tenant.marker}" and emails[type eq "work"]` };
    case 'runBulkOperations':
      return {
        Operations: [
          { method: 'POST', path: '/Users', bulkId: 'a', data: tenant.user() },
          {
            ...{ method: 'POST', path: '/Groups', bulkId: 'b' },
            data: { displayName: tenant.fresh(), members: [{ value: 'bulkId:a' }] },
          },
          {
            ...{ method: 'PATCH', path: `/Users/${tenant.userId}` },
            data: { Operations: [{ op: 'replace', path: 'title', value: 'x' }] },
          },
        ],
      };
    default:
      return {};
  }
}

const page = async (tenant: Tenant) => ({ ids: { id: (await tenant.newFlow(false)).address } });

const QUERY_FIELDS = { 'traits.email': 'ada@example.com' };

const FORMS: Readonly<Record<string, Recipe>> = {
  registerSchema: once((tenant) => ({ body: { id: tenant.fresh() } })),
  createIdentity: once((tenant) => ({
    body: { schema_id: tenant.schemaId, traits: { email: `${tenant.fresh()}@example.com` } },
  })),
  listIdentities: { make: ({ schemaId }) => ({ query: { schema_id: schemaId } }), isScoped: true },
  getIdentity: { make: ({ identityId }) => ({ ids: { id: identityId } }), isScoped: true },
  patchIdentity: { make: ({ identityId }) => ({ ids: { id: identityId } }), isScoped: true },
  deleteIdentity: once(async (tenant) => ({ ids: { id: await tenant.newIdentity() } })),
  getEvent: { make: ({ formsEventId }) => ({ ids: { id: formsEventId } }) },
  resendEvent: {
    make: ({ formsEventId, formsEndpointId }) => ({
      ids: { id: formsEventId },
      body: { endpoint_id: formsEndpointId },
    }),
  },
  deleteWebhookEndpoint: once(async (tenant) => ({ ids: { id: await tenant.newFormsEndpoint() } })),
  startFlow: { make: ({ schemaId }) => ({ body: { schema_id: schemaId } }) },
  getFlow: { make: ({ flow }) => ({ ids: { id: flow.id } }), isScoped: true },
  signUp: { make: ({ schemaId }) => ({ query: { schema: schemaId } }), isScoped: true },
  showFlow: { make: page, isUsedUp: true, isScoped: true },
  showDone: { make: ({ doneAddress }) => ({ ids: { id: doneAddress } }), isScoped: true },
  decodeQuery: { make: ({ schemaId }) => ({ ids: { id: schemaId }, query: QUERY_FIELDS }) },
  submitFlow: {
    make: async (tenant) => {
      const { address, cookie, token } = await tenant.newFlow();
      return {
        ids: { id: address },
        headers: { cookie, accept: 'application/json' },
        body: {
          csrf_token: token,
          'traits.email': `${tenant.fresh()}@example.com`,
          traits: undefined,
        },
      };
    },
    ...{ isUsedUp: true, isScoped: true },
  },
};

/** What most operations need. */
function usualRecipe(service: HttpService, template: string): Recipe {
  if (service === 'key-service') {
    return {
      make: ({ key, imported, keyEventId, keyEndpointId }) => ({
        ids: {
          key_id: template.includes('/importedApiKeys/') ? imported.id : key.id,
          ...{ event_id: keyEventId, endpoint_id: keyEndpointId },
        },
      }),
    };
  }
  if (service === 'dsync-api') {
    return {
      make: ({ managed, endpointId }) => ({
        ids: {
          directoryId: managed.id,
          id: template.includes('/webhook-endpoints/') ? endpointId : managed.id,
        },
      }),
    };
  }
  return {
    make: ({ schemaId, formsEndpointId }) => ({
      ids: { id: template.startsWith('/v1/webhook-endpoints') ? formsEndpointId : schemaId },
    }),
  };
}

export function recipeOf(service: HttpService, operationId: string, template: string): Recipe {
  if (template.startsWith('/api/scim/')) return scimRecipe(operationId, template);
  const own = { 'key-service': KEYS, 'dsync-api': SYNC, 'identity-forms': FORMS }[service];
  return own[operationId] ?? usualRecipe(service, template);
}
