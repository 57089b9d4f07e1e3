import { ScimError } from '@gatehouse/scim';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
import { RemovalHeldError } from '../../guard/guard.js';
import { type ScimResponse, type ScimScope, type ScimTarget } from '../protocol/scim.types.js';
import { StaleCacheError } from '../protocol/stale-cache.error.js';

/** A decision may come between the refusal of a removal and its record. */
const ATTEMPTS_MAX = 3;

/**
 * Writes a resource of a directory that may be guarded. A removal that must wait for a decision is
 * refused with 403: a status that identity providers report, and try again later. A change that is
 * written takes the place of a held removal.
 */
export async function guarded(
  scope: ScimScope,
  { resource, id }: Extract<ScimTarget, { kind: 'resource' }>,
  write: () => Promise<ScimResponse>,
): Promise<ScimResponse> {
  const { guard, directory } = scope;
  if (!directory.guard || !isUuid(id)) return write();
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    try {
      const response = await write();
      await guard.withdraw(directory, resource === 'User' ? 'user' : 'group', id);
      return response;
    } catch (error) {
      if (!(error instanceof RemovalHeldError)) throw error;
      // Hold only what is based on stored data, and was sent with a secret that is valid now.
      if (scope.revision !== null) throw new StaleCacheError();
      const runId = await guard.hold(directory, error);
      if (runId) throw heldFor(error, runId);
    }
  }
  throw new DomainError(KitErrors.UNAVAILABLE);
}

function heldFor({ message }: RemovalHeldError, runId: string): ScimError {
  const detail = `This removal waits for the decision of an administrator in run ${runId}: ${message}`;
  return new ScimError(403, undefined, detail);
}
