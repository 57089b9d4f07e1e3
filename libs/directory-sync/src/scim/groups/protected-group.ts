/** Protected groups of a guarded directory: a change that removes all members must wait. */
import { retryLostRaces, type SqlExecutor } from '@gatehouse/kit/sql';
import { type GroupRow, type GroupWrite } from '../../groups/group.types.js';
import { type ScimScope } from '../protocol/scim.types.js';
import { WRITE_RETRY } from '../protocol/write-retry.js';

type Change = (sql: SqlExecutor) => Promise<GroupWrite | undefined>;

/** @throws RemovalHeldError, with nothing written */
export function writeProtected(
  scope: ScimScope,
  before: GroupRow | undefined,
  change: Change,
): Promise<GroupWrite | undefined> {
  const isProtected = before && scope.guard.protects(scope.directory, before.displayName);
  if (!isProtected && !scope.directory.mapsRoles) {
    return retryLostRaces(() => change(scope.sql), WRITE_RETRY);
  }
  return scope.sql.transaction(async (sql) => {
    const write = await change(sql);
    if (write && isProtected) await requireMembers(scope, before, write.group, sql);
    return write;
  }, WRITE_RETRY);
}

/**
 * Refuses a change that has emptied a protected group in this transaction.
 *
 * @throws RemovalHeldError
 */
export async function requireMembers(
  { guard, directory }: ScimScope,
  { id, displayName, memberCount }: GroupRow,
  after: GroupRow,
  sql: SqlExecutor,
): Promise<void> {
  const isEmptied = memberCount > 0 && after.memberCount === 0;
  if (!isEmptied || !guard.protects(directory, displayName)) return;
  const removal = { kind: 'group', id, operation: 'empty' } as const;
  await guard.admit(directory, removal, { groupName: displayName }, sql);
}
