/** Values that the example of an operation needs to succeed: ids, credentials and states of a tenant. */
import { eventually } from '@gatehouse/testing';
import { type HttpService } from '../live-stack/whole-stack.js';
import { type Tenant } from '../live-stack/tenant.js';

export interface Own {
  /** Parameters of the path. */
  ids?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: object;
  sign?: (body: Buffer) => Record<string, string>;
}

interface Place {
  service: HttpService;
  template: string;
  method: string;
  operationId: string;
}

type Make = (tenant: Tenant) => Own | Promise<Own>;

const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
const DSYNC = '/api/v1/dsync';
const KEYS = '/v2alpha1/admin';

export async function ownOf(tenant: Tenant, place: Place): Promise<Own> {
  const { service, template, operationId } = place;
  if (template.startsWith('/api/scim/')) return ownOfScim(tenant, place);
  const usual = { 'key-service': keys, 'dsync-api': directories, 'identity-forms': forms };
  const own = await usual[service](tenant, place);
  return { ...own, ...(await OTHERS[`${service} ${operationId}`]?.(tenant)) };
}

async function keys(tenant: Tenant, { template, method }: Place): Promise<Own> {
  if (template.includes('/trustRules/')) return { ids: { key_id: await newTrustRule(tenant) } };
  const isImported = template.includes('/importedApiKeys/');
  const isWritten = method !== 'GET' && template.includes('{key_id}');
  const fresh = () => (isImported ? tenant.newImported() : tenant.newKey());
  const key = isWritten ? await fresh() : isImported ? tenant.imported : tenant.key;
  if (template.includes('/events/')) return { ids: { id: tenant.keyEventId } };
  if (!template.includes('/webhook-endpoints/')) return { ids: { key_id: key.id } };
  return {
    ids: { id: method === 'DELETE' ? await tenant.newKeyEndpoint() : tenant.keyEndpointId },
  };
}

async function directories(tenant: Tenant, { template, method }: Place): Promise<Own> {
  const isDeleted = method === 'DELETE';
  if (template.includes('/webhook-endpoints/')) {
    const id = isDeleted ? await tenant.newEndpoint() : tenant.endpointId;
    return { ids: { directoryId: tenant.managed.id, id } };
  }
  if (template.includes('/scim-tokens/') || template.includes('retire-secret')) {
    const { id: directoryId } = await tenant.newDirectory();
    const path = `${DSYNC}/${directoryId}/scim-tokens`;
    const id = await created(tenant, path, { name: tenant.marker });
    return { ids: { directoryId, id: template.includes('retire-secret') ? directoryId : id } };
  }
  if (template.includes('/setup-links/')) return { ids: { id: await openedSetupLink(tenant) } };
  if (template.includes('/runs') || template.includes('/workspace/')) {
    if (method === 'POST') await tenant.holdRun();
    const { id } = tenant.workspace;
    return { ids: { directoryId: id, id, runId: tenant.runId } };
  }
  if (/dsync\/(users|groups)/.test(template)) {
    const id = template.includes('/users') ? tenant.userId : tenant.groupId;
    return { ids: { id }, query: { directoryId: tenant.directory.id } };
  }
  const isWhole = isDeleted && template === `${DSYNC}/{id}`;
  const { id } = isWhole ? await tenant.newDirectory() : tenant.managed;
  return { ids: { directoryId: id, id } };
}

async function forms(tenant: Tenant, { template, method }: Place): Promise<Own> {
  const isDeleted = method === 'DELETE';
  if (template.startsWith('/v1/webhook-endpoints')) {
    return { ids: { id: isDeleted ? await tenant.newFormsEndpoint() : tenant.formsEndpointId } };
  }
  if (template.startsWith('/v1/identities/')) {
    return { ids: { id: isDeleted ? await tenant.newIdentity() : tenant.identityId } };
  }
  if (template.startsWith('/v1/events/')) {
    return { ids: { id: tenant.formsEventId }, body: { endpoint_id: tenant.formsEndpointId } };
  }
  return { ids: { id: tenant.schemaId } };
}

async function created(tenant: Tenant, path: string, json: object): Promise<string> {
  const { body } = await tenant.call<{ data: { id: string } }>('dsync-api', 'POST', path, { json });
  return body.data.id;
}

async function openedSetupLink(tenant: Tenant): Promise<string> {
  const { id: directory_id } = await tenant.newDirectory();
  const { body } = await tenant.call<{ data: { id: string; url: string } }>(
    'dsync-api',
    'POST',
    `${DSYNC}/setup-links`,
    { json: { directory_id } },
  );
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await tenant.call('dsync-api', 'POST', new URL(body.data.url).pathname, { headers });
  return body.data.id;
}

/** It ends soon, because the live ones are limited. */
async function newTrustRule(tenant: Tenant): Promise<string> {
  const json = {
    name: tenant.fresh(),
    actor_id: tenant.marker,
    scopes: ['orders:read'],
    issuer: 'https://issuer.example.com',
    audience: 'https://keys.example.com',
    subject_pattern: tenant.marker,
    ttl: '1m',
  };
  const path = `${KEYS}/trustRules`;
  const { body } = await tenant.call<{ key_id: string }>('key-service', 'POST', path, { json });
  return body.key_id;
}

async function changedKey(tenant: Tenant, change: string, json?: object): Promise<Own> {
  const { id } = await tenant.newKey();
  await tenant.call('key-service', 'POST', `${KEYS}/apiKeys/${id}:${change}`, { json });
  return { ids: { key_id: id } };
}

const credential: Make = ({ key }) => ({ body: { credential: key.secret } });
const asKey: Make = ({ key }) => ({ headers: { 'x-api-key': key.secret } });
const imports: Make = (tenant) => ({
  body: {
    requests: [{ raw_key: `${tenant.fresh()}-imported`, name: tenant.marker, actor_id: 'a' }],
  },
});
const portal: Make = async (tenant) => {
  const json = { actor_id: tenant.fresh() };
  const path = `${KEYS}/portalSessions`;
  const { body } = await tenant.call<{ portal_session: { session_id: string } }>(
    'key-service',
    'POST',
    path,
    { json },
  );
  return { ids: { session_id: body.portal_session.session_id } };
};
const leak = async (tenant: Tenant, name: string) => ({
  [name]: (await tenant.newKey()).secret,
  source: 'commit',
  url: `https://git.example.com/${tenant.marker}`,
});
const page: Make = async (tenant) => ({ ids: { id: (await tenant.newFlow(false)).address } });

async function keyLink(tenant: Tenant, product: string): Promise<Record<string, string>> {
  const link = { tenant: tenant.marker, product };
  const json = { ...link, attribute: 'id' };
  await tenant.call('dsync-api', 'PUT', `${DSYNC}/key-links`, { json });
  return link;
}
const formsKeyLink: Make = async (tenant) => {
  await tenant.call('identity-forms', 'PUT', '/v1/key-link', { json: { on_delete: 'off' } });
  return {};
};

/** Values of operations that need more than an id of their resource. */
const OTHERS: Readonly<Record<string, Make>> = {
  'key-service adminReportLeaks': async (tenant) => ({
    body: { requests: [await leak(tenant, 'credential')] },
  }),
  'key-service reportGithubLeaks': async (tenant) => ({
    body: [{ ...(await leak(tenant, 'token')), type: 'gatehouse_api_key' }],
    sign: (body) => tenant.stack.github.headersFor(body),
  }),
  'key-service adminGetPortalSession': portal,
  'key-service adminRevokePortalSession': portal,
  'key-service adminImportApiKey': (tenant) => ({
    body: { raw_key: `${tenant.fresh()}-imported` },
  }),
  'key-service adminBatchCreateImportedApiKeys': imports,
  'key-service adminBatchImportApiKeys': imports,
  'key-service adminDropImportedHashes': () => ({ body: { drop_time: '2999-01-01T00:00:00Z' } }),
  'key-service adminAddApiKeyCredits': (tenant) =>
    changedKey(tenant, 'setCredits', { remaining: 1 }),
  'key-service adminResumeApiKey': (tenant) => changedKey(tenant, 'pause'),
  'key-service adminUndeleteApiKey': (tenant) => changedKey(tenant, 'revoke'),
  'key-service adminEraseApiKey': (tenant) => changedKey(tenant, 'revoke'),
  'key-service revokeApiKey': async (tenant) => ({
    body: { credential: (await tenant.newKey()).secret },
  }),
  'key-service adminVerifyApiKey': credential,
  'key-service adminDeriveToken': credential,
  'key-service adminBatchVerifyApiKeys': ({ key, imported, tokens }) => ({
    body: {
      requests: [key.secret, imported.secret, ...tokens].map((each) => ({ credential: each })),
    },
  }),
  'key-service adminAuthorize': asKey,
  'key-service adminAuthorizePost': asKey,
  'key-service adminCreateTrustRule': (tenant) => ({
    body: { name: tenant.fresh(), actor_id: tenant.marker, ttl: '1m' },
  }),
  'key-service adminGetActor': ({ marker }) => ({ ids: { actor_id: marker } }),
  'key-service adminFindActor': ({ marker }) => ({ query: { actor_id: marker } }),
  'key-service adminSearch': ({ marker }) => ({ query: { query: marker } }),
  'key-service adminPreviewDirectoryLink': async (tenant) => {
    const query = await keyLink(tenant, tenant.name);
    const path = `${KEYS}/directoryLinks:preview?${new URLSearchParams(query).toString()}`;
    // The worker brings the link.
    await eventually(() => tenant.call('key-service', 'GET', path));
    return { query };
  },
  'key-service exchangeToken': ({ key }) => ({ body: { subject_token: key.secret } }),
  'key-service adminResendEvent': ({ keyEndpointId }) => ({
    body: { endpoint_id: keyEndpointId },
  }),
  'dsync-api search': ({ marker }) => ({ query: { query: marker } }),
  'dsync-api getEvent': ({ eventId }) => ({ ids: { id: eventId } }),
  'dsync-api resendEvent': ({ eventId }) => ({
    ids: { id: eventId },
    body: { endpoint_id: undefined },
  }),
  'dsync-api getRequest': ({ directory, requestId }) => ({
    ids: { directoryId: directory.id, id: requestId },
  }),
  'dsync-api getRoleMapping': async (tenant) => {
    const path = `${DSYNC}/${tenant.managed.id}/role-mappings`;
    const json = { default_role: tenant.marker, rules: [] };
    await tenant.call('dsync-api', 'PUT', path, { json });
    return {};
  },
  'dsync-api setKeyLink': (tenant) => ({
    body: { tenant: tenant.marker, product: tenant.fresh() },
  }),
  'dsync-api deleteKeyLink': async (tenant) => ({ query: await keyLink(tenant, tenant.fresh()) }),
  'dsync-api syncWorkspace': async (tenant) => ({
    ids: { directoryId: (await tenant.newDirectory({ type: 'workspace' })).id },
  }),
  'dsync-api getAuthorizationUrl': ({ workspace: { id } }) => ({ ids: { id } }),
  'dsync-api createDirectory': ({ marker }) => ({ body: { tenant: marker, product: 'shop' } }),
  'dsync-api listDirectoriesOfProduct': ({ name }) => ({ query: { product: name } }),
  'identity-forms getKeyLink': formsKeyLink,
  'identity-forms deleteKeyLink': formsKeyLink,
  'identity-forms registerSchema': (tenant) => ({ body: { id: tenant.fresh() } }),
  'identity-forms createIdentity': (tenant) => ({
    body: { schema_id: tenant.schemaId, traits: { email: `${tenant.fresh()}@example.com` } },
  }),
  'identity-forms listIdentities': ({ schemaId }) => ({ query: { schema_id: schemaId } }),
  'identity-forms search': ({ schemaId }) => ({ query: { query: schemaId } }),
  'identity-forms startFlow': ({ schemaId }) => ({ body: { schema_id: schemaId } }),
  'identity-forms getFlow': ({ flow }) => ({ ids: { id: flow.id } }),
  'identity-forms signUp': ({ schemaId }) => ({ query: { schema: schemaId } }),
  'identity-forms showFlow': page,
  'identity-forms showDone': ({ doneAddress }) => ({ ids: { id: doneAddress } }),
  'identity-forms decodeQuery': () => ({ query: { 'traits.email': 'ada@example.com' } }),
  'identity-forms submitFlow': async (tenant) => {
    const { address, cookie, token } = await tenant.newFlow();
    const email = `${tenant.fresh()}@example.com`;
    return {
      ids: { id: address },
      headers: { cookie, accept: 'application/json' },
      body: { csrf_token: token, 'traits.email': email, traits: undefined },
    };
  },
};

async function ownOfScim(tenant: Tenant, { template, operationId }: Place): Promise<Own> {
  const { id: directoryId, secret } = tenant.directory;
  const isGroup = template.includes('/Groups');
  const isWrite = /^(replace|delete)/.test(operationId);
  const found = isGroup ? tenant.groupId : tenant.userId;
  const made = isWrite ? await (isGroup ? tenant.newGroup() : tenant.newUser()) : found;
  const id = { getResourceType: 'User', getSchema: USER_SCHEMA }[operationId] ?? made;
  const headers = { authorization: `Bearer ${secret}` };
  return { ids: { directoryId, id }, headers, body: scimBody(tenant, operationId) };
}

function scimBody(tenant: Tenant, operationId: string): object {
  const group = () => ({ displayName: tenant.fresh(), members: [{ value: tenant.userId }] });
  switch (operationId) {
    case 'createUser':
    case 'replaceUser':
      return tenant.user();
    case 'createGroup':
    case 'replaceGroup':
      return group();
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
          { method: 'POST', path: '/Groups', bulkId: 'b', data: group() },
        ],
      };
    default:
      return {};
  }
}
