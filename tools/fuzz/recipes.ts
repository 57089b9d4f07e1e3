import { type HttpService } from '../live-stack/whole-stack.js';
import { FORMS } from './forms-recipes.js';
import { KEYS } from './key-recipes.js';
import { type Recipe } from './recipe.js';
import { scimRecipe } from './scim-recipes.js';
import { SYNC } from './sync-recipes.js';

/** What most operations need. */
function usualRecipe(service: HttpService, template: string): Recipe {
  if (service === 'key-service') {
    return {
      make: ({ key, imported, keyEventId, keyEndpointId }) => ({
        ids: {
          key_id: template.includes('/importedApiKeys/') ? imported.id : key.id,
          id: template.includes('/events/') ? keyEventId : keyEndpointId,
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
