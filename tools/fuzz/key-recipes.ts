import { type Tenant } from '../live-stack/tenant.js';
import { once, type Recipes, SIGNED } from './recipe.js';

const newKey = async (tenant: Tenant, ...changes: string[]) => {
  const { id } = await tenant.newKey();
  for (const change of changes) {
    await tenant.call('key-service', 'POST', `/v2alpha1/admin/apiKeys/${id}:${change}`);
  }
  return { ids: { key_id: id } };
};
const live = once((tenant) => newKey(tenant));
const revoked = once((tenant) => newKey(tenant, 'revoke'));
const credential = ({ key }: Tenant) => ({ body: { credential: key.secret } });
const authorized = ({ key }: Tenant) => ({ headers: { 'x-api-key': key.secret } });
const imports = (tenant: Tenant) => {
  const item = { raw_key: `${tenant.fresh()}-imported`, name: tenant.marker, actor_id: 'a' };
  return { body: { requests: [item] } };
};

const newPortal = async (tenant: Tenant) => {
  const answer = await tenant.call('key-service', 'POST', '/v2alpha1/admin/portalSessions', {
    json: { actor_id: tenant.fresh() },
  });
  const { portal_session: session } = answer.body as { portal_session: { session_id: string } };
  return { ids: { session_id: session.session_id } };
};

const leak = async (tenant: Tenant, name: string) => ({
  [name]: (await tenant.newKey()).secret,
  source: 'commit',
  url: `https://git.example.com/${tenant.marker}`,
});

export const KEYS: Recipes = {
  adminReportLeaks: once(async (tenant) => ({
    body: { requests: [await leak(tenant, 'credential')] },
  })),
  reportGithubLeaks: {
    ...once(async (tenant) => ({
      headers: { 'github-public-key-identifier': SIGNED, 'github-public-key-signature': SIGNED },
      body: [{ ...(await leak(tenant, 'token')), type: 'gatehouse_api_key' }],
    })),
    sign: ({ stack }, body) => stack.github.headersFor(body),
  },
  adminGetPortalSession: once(newPortal),
  adminRevokePortalSession: once(newPortal),
  adminImportApiKey: once((tenant) => ({ body: { raw_key: `${tenant.fresh()}-imported` } })),
  adminBatchCreateImportedApiKeys: once(imports),
  adminBatchImportApiKeys: once(imports),
  adminDropImportedHashes: {
    make: () => ({ body: { drop_time: '2999-01-01T00:00:00Z' } }),
  },
  adminDeleteImportedApiKey: once(async (tenant) => ({
    ids: { key_id: (await tenant.newImported()).id },
  })),
  adminRotateIssuedApiKey: live,
  adminRevokeApiKey: live,
  adminAddApiKeyCredits: once(async (tenant) => {
    const { ids } = await newKey(tenant);
    const path = `/v2alpha1/admin/apiKeys/${ids.key_id}:setCredits`;
    await tenant.call('key-service', 'POST', path, { json: { remaining: 1 } });
    return { ids };
  }),
  adminSetApiKeyCredits: live,
  adminRemoveApiKeyCredits: live,
  adminPauseApiKey: live,
  adminResumeApiKey: once((tenant) => newKey(tenant, 'pause')),
  adminUndeleteApiKey: revoked,
  adminEraseApiKey: revoked,
  adminRevokeIssuedApiKey: live,
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
  adminResendEvent: {
    make: (tenant) => ({
      ids: { id: tenant.keyEventId },
      body: { endpoint_id: tenant.keyEndpointId },
    }),
  },
  adminDeleteWebhookEndpoint: once(async (tenant) => ({
    ids: { id: await tenant.newKeyEndpoint() },
  })),
};
