import { applyPatch, parsePatchRequest, ScimError, userResourceType } from '../src/index.js';
import { type JsonObject, type JsonValue, type ScimResource } from '../src/index.js';
import { type PatchOptions, type PatchResult } from '../src/patch/patch-engine.js';

/** A user to be patched, and what comes of it. */

export const coreUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

export const user: ScimResource = {
  schemas: [coreUrn],
  userName: 'kim',
  title: 'Clerk',
  active: true,
  name: { givenName: 'Kim', familyName: 'Roe' },
  emails: [
    { value: 'kim@work.example', type: 'work', primary: true },
    { value: 'kim@home.example', type: 'home' },
  ],
};

/** Applies operations and checks that the input is left as it was. */
export function patched(
  operations: JsonValue[],
  base: ScimResource = user,
  options?: PatchOptions,
): PatchResult {
  const before = structuredClone(base);
  try {
    const parsed = parsePatchRequest({ Operations: operations });
    return applyPatch(base, parsed, userResourceType, options);
  } finally {
    expect(base).toEqual(before);
  }
}

export function after(...operations: JsonValue[]): JsonObject {
  return patched(operations).resource;
}

/** The error that the operations meet. */
export function refusal(operations: JsonValue[], base?: ScimResource): ScimError {
  try {
    patched(operations, base);
  } catch (error) {
    if (error instanceof ScimError) {
      return error;
    }
    throw error;
  }
  throw new Error('The operations were accepted.');
}
