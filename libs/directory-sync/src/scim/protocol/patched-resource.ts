import {
  applyPatch,
  type PatchOperation,
  patchOptionsOf,
  type ResourceType,
  type ScimResource,
} from '@gatehouse/scim';
import { checkIndexedTexts } from './indexed-texts.js';
import type { ScimContext } from './scim.types.js';

/**
 * What is stored of a resource, with operations applied to it; the very same object when nothing
 * changes. The id is not stored with it, and an operation that gives it the id that it has is none.
 */
export function patchedResource(
  { directory }: ScimContext,
  id: string,
  current: ScimResource,
  operations: readonly PatchOperation[],
  type: ResourceType,
): ScimResource {
  const options = patchOptionsOf(directory.type);
  const { resource, changed } = applyPatch({ ...current, id }, operations, type, options);
  if (!changed) return current;
  const stored = withoutId(resource);
  checkIndexedTexts(stored);
  return stored;
}

function withoutId({ id: _id, ...stored }: ScimResource): ScimResource {
  return stored;
}
