/**
 * The steps of a write that concern roles, in directories in which groups give them to users. They run in
 * the transaction of the write, which has locked the mapping.
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
  leaveToJob,
  type LockedMapping,
  refreshGroups,
  removedMembers,
  rolesOfActiveUser,
  rolesOfUser,
  TooManyGroupsError,
} from '../../roles/role.repository.js';
import { type ScimScope } from '../protocol/scim.types.js';
import { writeScopeOf } from '../protocol/write-scope.js';

/** Takes the events of a write; those of roles come after its own. */
export interface EventSink {
  events: EventRow[];
}

/** The users whose roles a write may change. */
export type RoleSubject<Result> =
  /** Gets the default role. */
  | { of: 'newUser'; id: string }
  /** Keeps its roles, which the event shows. A removal takes them away with the user. */
  | { of: 'user'; id: string }
  /** Loses its roles with the user. */
  | { of: 'deletedUser'; id: string }
  /** @param changesRules whether a rule may begin or cease to apply to groups */
  | { of: 'group'; changesRules: (result: Result) => boolean };

interface RoleWrite<Result> {
  roles: RoleSubject<Result>;
  removal?: Removal;
}

/** The roles that the event of a user shows, and those that active users lose by its removal. */
export async function rolesBefore<Result>(
  sql: SqlExecutor,
  { directory }: ScimScope,
  { roles, removal }: RoleWrite<Result>,
  { defaultRole }: LockedMapping,
): Promise<{ shown?: readonly string[]; lost: readonly string[] }> {
  if (roles.of === 'group') return { lost: [] };
  if (roles.of === 'newUser') return { shown: defaultRole === null ? [] : [defaultRole], lost: [] };
  const lost = removal && directory.guard ? await rolesOfActiveUser(sql, roles.id) : [];
  return roles.of === 'user' ? { shown: await rolesOfUser(sql, roles.id), lost } : { lost };
}

/**
 * Changes the roles of users as the write requires.
 *
 * @throws ScimError 400 if the rules apply to too many groups
 * @throws RemovalHeldError if a protected role would have no active user
 */
export async function followRoles<Result extends EventSink>(
  sql: SqlExecutor,
  scope: ScimScope,
  { roles, removal }: RoleWrite<Result>,
  mapping: LockedMapping,
  lost: readonly string[],
  result: Result,
): Promise<void> {
  const { directory, engine } = scope;
  if (roles.of === 'newUser') {
    const { defaultRole } = mapping;
    if (defaultRole !== null) await giveDefault(sql, directory.id, roles.id, defaultRole);
    return;
  }
  if (roles.of !== 'group') {
    if (removal) await engine.guard.admitRoles(directory, removal, lost, sql);
    return;
  }
  const changed = roles.changesRules(result) ? await changedGroups(scope, sql) : [];
  // The guard has to know at once which roles would be lost.
  const isGuarded = removal !== undefined && engine.guard.protectsRoles(directory);
  const isLeft = !isGuarded && (await leaveToJob(sql, directory.id, changed));
  const groupIds = isLeft ? [] : changed;
  const followed = await followMembers(sql, writeScopeOf(scope), mapping, groupIds);
  if (removal) await admitMembers(scope, sql, removal, mapping, followed.lost);
  // No spread: a large group has more events than a call may have arguments.
  for (const event of followed.events) result.events.push(event);
}

/** The members that the change has removed are held with it, so that an approval removes them. */
async function admitMembers(
  { directory, engine: { guard } }: ScimScope,
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
