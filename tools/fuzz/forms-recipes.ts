import { type Tenant } from '../live-stack/tenant.js';
import { once, type Recipes } from './recipe.js';

const page = async (tenant: Tenant) => ({ ids: { id: (await tenant.newFlow(false)).address } });

const QUERY_FIELDS = { 'traits.email': 'ada@example.com' };

export const FORMS: Recipes = {
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
    isUsedUp: true,
    isScoped: true,
  },
};
