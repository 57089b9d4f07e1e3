import { type Tenant } from '../live-stack/tenant.js';
import { type Ingredients, type Recipe } from './recipe.js';

/** Of SCIM, for the template of a path. */
export function scimRecipe(operationId: string, template: string): Recipe {
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
            method: 'POST',
            path: '/Groups',
            bulkId: 'b',
            data: { displayName: tenant.fresh(), members: [{ value: 'bulkId:a' }] },
          },
          {
            method: 'PATCH',
            path: `/Users/${tenant.userId}`,
            data: { Operations: [{ op: 'replace', path: 'title', value: 'x' }] },
          },
        ],
      };
    default:
      return {};
  }
}
