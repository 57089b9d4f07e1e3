/** Carries out the removals that a guarded SCIM directory held, after their approval. */
import { type GuardRepository } from '../../guard/guard.repository.js';
import { type Removal } from '../../guard/guard.types.js';
import { patchGroup, removeGroup } from '../../scim/groups/group.service.js';
import { refusalOf } from '../../scim/protocol/scim-errors.js';
import { patchUser, removeUser } from '../../scim/users/user.service.js';
import { type BatchContext, requestOf, type ResourceWrite, writeOne } from './resource-batch.js';
import { type RunCounts } from './run.types.js';

interface Carried {
  write: ResourceWrite;
  body?: (memberIds: readonly string[]) => object;
  counted: keyof RunCounts;
}

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const patchOf = (operation: object) => ({ schemas: [PATCH_SCHEMA], Operations: [operation] });

const CARRIED: Readonly<Record<string, Carried>> = {
  'user delete': { write: removeUser, counted: 'users_deleted' },
  'user deactivate': {
    write: patchUser,
    body: () => patchOf({ op: 'replace', path: 'active', value: false }),
    counted: 'users_updated',
  },
  'group delete': { write: removeGroup, counted: 'groups_deleted' },
  'group empty': {
    write: patchGroup,
    body: () => patchOf({ op: 'remove', path: 'members' }),
    counted: 'groups_updated',
  },
  'group members': {
    write: patchGroup,
    body: (memberIds) =>
      patchOf({ op: 'remove', path: 'members', value: memberIds.map((value) => ({ value })) }),
    counted: 'groups_updated',
  },
};

const NOT_FOUND = 404;

/** Carries out held removals. A resource that is gone already is no failure. */
export async function removeHeld(
  context: BatchContext,
  guards: GuardRepository,
  removals: readonly Removal[],
  before: RunCounts,
): Promise<RunCounts> {
  const counts = { ...before };
  for (const { kind, id, operation, memberIds = [] } of removals) {
    if (operation === 'members' && memberIds.length === 0) {
      // The group would have changed in another way; the provider sends that again.
      await guards.withdraw(context.directoryId, kind, [id], context.sql);
      continue;
    }
    const { write, body, counted } = CARRIED[`${kind} ${operation}`] as Carried;
    try {
      const isChanged = await writeOne(context, async (scope, log) => {
        await write(scope, requestOf(scope, body?.(memberIds)), id, log);
        return log.hasWrites;
      });
      if (isChanged) counts[counted] += 1;
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      if (refusal.status !== NOT_FOUND) counts.failed += 1;
    }
    await guards.withdraw(context.directoryId, kind, [id], context.sql);
  }
  return counts;
}
