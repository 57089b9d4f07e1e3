import { type Tenant } from '../live-stack/tenant.js';
import { once, type Recipes } from './recipe.js';

const revoked = once(async (tenant) => ({ ids: { key_id: (await tenant.newKey()).id } }));
const credential = ({ key }: Tenant) => ({ body: { credential: key.secret } });
const authorized = ({ key }: Tenant) => ({ headers: { 'x-api-key': key.secret } });
const imports = (tenant: Tenant) => {
  const item = { raw_key: `${tenant.fresh()}-imported`, name: tenant.marker, actor_id: 'a' };
  return { body: { requests: [item] } };
};

export const KEYS: Recipes = {
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
