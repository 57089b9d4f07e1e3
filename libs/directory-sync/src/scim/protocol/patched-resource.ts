import {
  applyPatch,
  parsePatchRequest,
  type PatchOperation,
  patchOptionsOf,
  requireStrictPatch,
  type ResourceType,
  type ScimResource,
} from '@gatehouse/scim';
import { checkIndexedTexts } from './indexed-texts.js';
import { type ScimScope } from './scim.types.js';

/** The operations of a PATCH. @throws ScimError 400 */
export function patchOperations(
  { directory }: ScimScope,
  body: unknown,
  type: ResourceType,
): PatchOperation[] {
  const operations = parsePatchRequest(body);
  if (directory.strict) requireStrictPatch(operations, type);
  return operations;
}

/**
 * Applies patch operations to a stored resource. Returns the same object if nothing changes. The
 * resource is stored without its id; an operation that sets the id to its own value is ignored.
 */
export function patchedResource(
  { directory, call }: ScimScope,
  id: string,
  current: ScimResource,
  operations: readonly PatchOperation[],
  type: ResourceType,
): ScimResource {
  const options = { ...patchOptionsOf(directory.type), budget: call.budget };
  const { resource, changed } = applyPatch({ ...current, id }, operations, type, options);
  if (!changed) return current;
  const stored = withoutId(resource);
  checkIndexedTexts(stored);
  return stored;
}

function withoutId({ id: _id, ...stored }: ScimResource): ScimResource {
  return stored;
}
