import { ifMatchHolds, preconditionFailed } from '@gatehouse/scim';
import {
  createGroup,
  patchGroup,
  readGroup,
  removeGroup,
  replaceGroup,
} from '../groups/group.service.js';
import { listResources } from '../lists/list.service.js';
import { allowedMethods, errorResponse, methodNotAllowed } from '../protocol/scim-errors.js';
import {
  type ResourceName,
  type ScimHandler,
  type ScimRequest,
  type ScimResponse,
  type ScimScope,
} from '../protocol/scim.types.js';
import { type WriteLog } from '../protocol/write-log.js';
import { writeRequest } from '../writes/write.js';
import { createUser, patchUser, readUser, removeUser, replaceUser } from '../users/user.service.js';
import { bulk } from './scim-bulk.js';
import { describe } from './scim-discovery.js';

type ResourceOperation = (
  scope: ScimScope,
  request: ScimRequest,
  id: string,
  log: WriteLog,
) => Promise<ScimResponse>;

const CREATE: Readonly<Record<ResourceName, ScimHandler>> = {
  User: createUser,
  Group: createGroup,
};

const BY_METHOD: Readonly<Record<ResourceName, Readonly<Record<string, ResourceOperation>>>> = {
  User: { GET: readUser, PUT: replaceUser, PATCH: patchUser, DELETE: removeUser },
  Group: { GET: readGroup, PUT: replaceGroup, PATCH: patchGroup, DELETE: removeGroup },
};

/** The tag of what has no version: no header can contain it, so only `If-Match: *` holds. */
const UNVERSIONED = '\u0000';

/** Calls the service function for the target and method of an authenticated request. */
export async function dispatch(
  scope: ScimScope,
  request: ScimRequest,
  log: WriteLog,
): Promise<ScimResponse> {
  const { target, method } = request;
  if (target.kind === 'unknown') return errorResponse(404, 'Nothing exists at this address.');
  if (target.kind === 'me') return errorResponse(501, 'The alias /Me is not supported.');
  const allowed = allowedMethods(target);
  if (!allowed.includes(method)) return methodNotAllowed(allowed);
  if (target.kind !== 'resource' && !ifMatchHolds(request.ifMatch, UNVERSIONED)) {
    throw preconditionFailed();
  }
  switch (target.kind) {
    case 'collection': {
      const { resource } = target;
      if (method !== 'POST') return listResources(scope, request, resource);
      const create = () => CREATE[resource](scope, request, log);
      // A new group can take a protected role away. It is held under the id of the directory.
      const held = { kind: 'resource', resource, id: scope.directory.id } as const;
      return writeRequest(scope, resource === 'Group' ? held : undefined, create);
    }
    case 'resource': {
      const operation = BY_METHOD[target.resource][method] as ResourceOperation;
      const write = () => operation(scope, request, target.id, log);
      return method === 'GET' ? write() : writeRequest(scope, target, write);
    }
    case 'search':
      return listResources(scope, request, target.resource);
    case 'root':
      return listResources(scope, request);
    case 'bulk':
      return bulk(scope, request, log, dispatch);
    case 'discovery':
      return describe(scope, request, target.document, target.id);
  }
}
