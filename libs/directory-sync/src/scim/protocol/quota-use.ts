import { NO_USAGE } from '../../quotas/usage.js';
import { type ScimRequest, type ScimScope } from './scim.types.js';

interface Stored {
  bytes: number;
}

/**
 * Creates a resource if the quota of the directory has room.
 *
 * @throws ScimError 413
 */
export function createInQuota<Write>(
  { quotas, directory }: ScimScope,
  { bodyBytes = 0 }: ScimRequest,
  kind: 'users' | 'groups',
  write: () => Promise<Write | undefined>,
  storedBy: (write: Write) => Stored,
): Promise<Write | undefined> {
  const one = { ...NO_USAGE, [kind]: 1 };
  // At least one byte, so that nothing is created when all are used.
  const expected = { ...one, bytes: Math.max(bodyBytes, 1) };
  return quotas.spend(directory.id, expected, write, (result) =>
    result === undefined ? NO_USAGE : { ...one, bytes: storedBy(result).bytes },
  );
}

/**
 * Changes a resource if the quota of the directory has room.
 *
 * @throws ScimError 413
 */
export function changeInQuota<Write>(
  { quotas, directory }: ScimScope,
  growthOf: (write: Write) => number,
  write: () => Promise<Write>,
): Promise<Write> {
  return quotas.spend(directory.id, NO_USAGE, write, (result) => ({
    ...NO_USAGE,
    bytes: growthOf(result),
  }));
}

/** Returns the part of the quota that a deleted resource used. */
export function leaveQuota(
  { quotas, directory }: ScimScope,
  kind: 'users' | 'groups',
  { bytes }: Stored,
): Promise<void> {
  return quotas.settle(directory.id, { ...NO_USAGE, [kind]: 1, bytes });
}
