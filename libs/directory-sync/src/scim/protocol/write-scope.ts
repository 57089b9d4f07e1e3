import { type WriteScope } from '../../directories/directory.types.js';
import { type GroupScope } from '../../groups/group.types.js';
import { type ScimScope } from './scim.types.js';

export function writeScopeOf({
  directory,
  call: { revision, wantsEvents },
}: ScimScope): WriteScope {
  return { directoryId: directory.id, revision, wantsEvents };
}

/** Group names are unique in directories of Entra ID, which relies on it. */
export function groupScopeOf(scope: ScimScope): GroupScope {
  return { ...writeScopeOf(scope), hasUniqueNames: scope.directory.type === 'azure-scim-v2' };
}
