import { bulk } from './scim-bulk.js';
import { describe } from './scim-discovery.js';
import { allowedMethods, errorAnswer, methodNotAllowed } from '../protocol/scim-errors.js';
import {
  createGroup,
  patchGroup,
  readGroup,
  removeGroup,
  replaceGroup,
} from '../groups/group.service.js';
import { listResources } from '../lists/list.service.js';
import type { ResourceName, ScimAnswer, ScimCall, ScimContext } from '../protocol/scim.types.js';
import { createUser, patchUser, readUser, removeUser, replaceUser } from '../users/user.service.js';

interface ResourceHandlers {
  create: (context: ScimContext, call: ScimCall) => Promise<ScimAnswer>;
  read: (context: ScimContext, call: ScimCall, id: string) => Promise<ScimAnswer>;
  replace: (context: ScimContext, call: ScimCall, id: string) => Promise<ScimAnswer>;
  patch: (context: ScimContext, call: ScimCall, id: string) => Promise<ScimAnswer>;
  remove: (context: ScimContext, call: ScimCall, id: string) => Promise<ScimAnswer>;
}

const HANDLERS: Readonly<Record<ResourceName, ResourceHandlers>> = {
  User: {
    create: createUser,
    read: readUser,
    replace: replaceUser,
    patch: patchUser,
    remove: removeUser,
  },
  Group: {
    create: createGroup,
    read: readGroup,
    replace: replaceGroup,
    patch: patchGroup,
    remove: removeGroup,
  },
};

/** Hands an authenticated request to what answers it. */
export async function dispatch(context: ScimContext, call: ScimCall): Promise<ScimAnswer> {
  const { target, method } = call;
  if (target.kind === 'unknown') return errorAnswer(404, 'There is nothing at this address.');
  if (target.kind === 'me') return errorAnswer(501, 'The alias /Me is not supported.');
  const allowed = allowedMethods(target);
  if (!allowed.includes(method)) return methodNotAllowed(allowed);
  switch (target.kind) {
    case 'collection':
      return method === 'POST'
        ? HANDLERS[target.resource].create(context, call)
        : listResources(context, call, target.resource);
    case 'resource':
      return onResource(HANDLERS[target.resource], context, call, target.id);
    case 'search':
      return listResources(context, call, target.resource);
    case 'root':
      return listResources(context, call);
    case 'bulk':
      return bulk(context, call, dispatch);
    case 'discovery':
      return describe(context, call, target.document, target.id);
  }
}

function onResource(
  handlers: ResourceHandlers,
  context: ScimContext,
  call: ScimCall,
  id: string,
): Promise<ScimAnswer> {
  switch (call.method) {
    case 'PUT':
      return handlers.replace(context, call, id);
    case 'PATCH':
      return handlers.patch(context, call, id);
    case 'DELETE':
      return handlers.remove(context, call, id);
    default:
      return handlers.read(context, call, id);
  }
}
