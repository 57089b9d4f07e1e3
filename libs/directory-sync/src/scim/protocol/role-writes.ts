/**
 * Writes of directories in which groups give users roles. Roles change in the transaction of what changes
 * them, which locks the mapping before anything else. Directories without a mapping have no further
 * statement.
 */
import { ScimError } from '@gatehouse/scim';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { type EventRow } from '../../events/event.types.js';
import { RemovalHeldError } from '../../guard/guard.js';
import { HELD_MEMBERS_MAX } from '../../guard/guard.repository.js';
import { type Removal } from '../../guard/guard.types.js';
import {
  followMembers,
  giveDefault,
  type LockedMapping,
  lockMapping,
  refreshGroups,
  removedMembers,
  rolesOfActiveUser,
  rolesOfUser,
  TooManyGroupsError,
} from '../../roles/role.repository.js';
import { type UserWrite } from '../../users/user.types.js';
import { type ScimScope } from './scim.types.js';
import { WRITE_RETRY } from './write-retry.js';
import { writeScopeOf } from './write-scope.js';

type Roles = readonly string[] | undefined;

/** Creates a user, who has the default role. */
export function createWithRoles(
  { sql: pool, directory }: ScimScope,
  write: (sql: SqlExecutor, roles: Roles) => Promise<UserWrite | undefined>,
): Promise<UserWrite | undefined> {
  if (!directory.mapsRoles) return write(pool, undefined);
  return pool.transaction(async (sql) => {
    const mapping = await lockMapping(sql, directory.id);
    if (!mapping) return write(sql, undefined);
    const { defaultRole: role } = mapping;
    const written = await write(sql, role === null ? [] : [role]);
    if (written && role !== null) await giveDefault(sql, directory.id, written.user.id, role);
    return written;
  });
}

/** Changes a user, whose roles stay as they are, in a transaction if the directory has roles. */
export async function updateWithRoles(
  { directory }: ScimScope,
  sql: SqlExecutor,
  userId: string,
  write: (roles: Roles) => Promise<UserWrite | undefined>,
): Promise<UserWrite | undefined> {
  const mapping = directory.mapsRoles && (await lockMapping(sql, directory.id));
  return write(mapping ? await rolesOfUser(sql, userId) : undefined);
}

/**
 * Takes a user away, or deactivates it: a change that takes roles away with their user.
 *
 * @throws RemovalHeldError if a protected role would have no active user
 */
export async function removeWithRoles<Write>(
  { directory, guard }: ScimScope,
  sql: SqlExecutor,
  removal: Removal,
  write: () => Promise<Write | undefined>,
): Promise<Write | undefined> {
  if (!directory.mapsRoles || !(await lockMapping(sql, directory.id))) return write();
  const lost = directory.guard ? await rolesOfActiveUser(sql, removal.id) : [];
  const written = await write();
  if (written) await guard.admitRoles(directory, removal, lost, sql);
  return written;
}

/**
 * Changes groups or members, in a transaction if the directory has roles, and then the roles of users.
 *
 * @param changesRules whether a rule may begin or cease to apply to groups
 * @param removal what is held if a protected role would have no active user
 * @throws ScimError 400 if the rules apply to too many groups
 * @throws RemovalHeldError
 */
export async function changeWithRoles<Write extends { events: EventRow[] } | undefined>(
  scope: ScimScope,
  sql: SqlExecutor,
  write: () => Promise<Write>,
  changesRules: (written: NonNullable<Write>) => boolean,
  removal: Removal,
): Promise<Write> {
  const { directory } = scope;
  const mapping = directory.mapsRoles ? await lockMapping(sql, directory.id) : undefined;
  const written = await write();
  if (!mapping || !written) return written;
  const groupIds = changesRules(written) ? await changedGroups(scope, sql) : [];
  const followed = await followMembers(sql, writeScopeOf(scope), mapping, groupIds);
  await admit(scope, sql, removal, mapping, followed.lost);
  // No spread: a large group has more events than a call may have arguments.
  for (const event of followed.events) written.events.push(event);
  return written;
}

/** The same in a transaction of its own where one is needed. */
export function changeWithRolesIn<Write extends { events: EventRow[] } | undefined>(
  scope: ScimScope,
  write: (sql: SqlExecutor) => Promise<Write>,
  changesRules: (written: NonNullable<Write>) => boolean,
  removal: Removal,
): Promise<Write> {
  const { sql: pool, directory } = scope;
  if (!directory.mapsRoles) return write(pool);
  return pool.transaction(
    (sql) => changeWithRoles(scope, sql, () => write(sql), changesRules, removal),
    WRITE_RETRY,
  );
}

/** The members that the change has removed are held with it, so that an approval removes them. */
async function admit(
  { directory, guard }: ScimScope,
  sql: SqlExecutor,
  removal: Removal,
  mapping: LockedMapping,
  lost: readonly string[],
): Promise<void> {
  try {
    await guard.admitRoles(directory, removal, lost, sql);
  } catch (error) {
    if (!(error instanceof RemovalHeldError) || removal.operation !== 'members') throw error;
    const users = await removedMembers(sql, directory.id, mapping, HELD_MEMBERS_MAX);
    const memberIds = [...new Set([...users, ...(removal.memberIds ?? [])])];
    throw new RemovalHeldError({ ...removal, memberIds }, error.reason);
  }
}

async function changedGroups({ directory }: ScimScope, sql: SqlExecutor): Promise<string[]> {
  try {
    return await refreshGroups(sql, directory.id, directory.id);
  } catch (error) {
    if (!(error instanceof TooManyGroupsError)) throw error;
    throw new ScimError(
      400,
      'tooMany',
      `The role mapping of the directory is full. ${error.message}`,
    );
  }
}
