import { type Tenant } from '../live-stack/tenant.js';
import { once, type Recipe, type Recipes } from './recipe.js';

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

export const SYNC: Recipes = {
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
