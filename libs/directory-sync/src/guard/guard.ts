/**
 * Holds removals that an identity provider sends to a SCIM directory, once there are more of them
 * than the settings of the directory allow. A held removal is refused and kept. An administrator
 * decides on all that a directory holds, as on a held run.
 */
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { type GuardRepository } from './guard.repository.js';
import {
  type GuardedDirectory,
  type GuardReason,
  type GuardSettings,
  type GuardWindow,
  type Removal,
} from './guard.types.js';

/** The removal must wait for a decision. */
export class RemovalHeldError extends Error {
  override readonly name = 'RemovalHeldError';

  constructor(
    readonly removal: Removal,
    readonly reason: GuardReason,
  ) {
    super(reason.message);
  }
}

/** Runs that hold removals. */
export interface HeldRuns {
  /**
   * The unfinished run of a directory, which is a new held one if there was none. It stays locked.
   * Undefined if the run ended in between.
   */
  hold(
    directoryId: string,
    reason: GuardReason,
    sql: SqlExecutor,
  ): Promise<{ id: string; state: string } | undefined>;
}

/** The effect of a transaction that writes a removal. */
export interface Written {
  /** Name of a group that it deletes or has emptied. */
  groupName?: string;
  /** Whether the resource is gone already. */
  isDeleted?: boolean;
  /** Ids of the groups that the resource was a member of. */
  leftGroups?: readonly string[];
}

/** How long an approval lets further removals pass: providers send them over minutes. */
const APPROVED_SECONDS = 3_600;

export class Guard {
  constructor(
    private readonly repository: GuardRepository,
    private readonly runs: HeldRuns,
  ) {}

  /**
   * Refuses a removal before it is written if it would be refused after: `admit` decides.
   *
   * @throws RemovalHeldError
   */
  async precheck({ id, guard }: GuardedDirectory, removal: Removal, groupName = ''): Promise<void> {
    if (!guard) return;
    const window = await this.repository.findWindow(id, guard.window_seconds);
    if (window?.isOpen) return;
    const reason = reasonOf(guard, window?.isOver ? undefined : window, removal, groupName);
    if (reason) throw new RemovalHeldError(removal, reason);
  }

  /**
   * Counts a removal in the transaction that has written it, so that it counts only if it is committed.
   *
   * @throws RemovalHeldError
   */
  async admit(
    { id, guard }: GuardedDirectory,
    removal: Removal,
    { groupName = '', isDeleted = false, leftGroups = [] }: Written,
    sql: SqlExecutor,
  ): Promise<void> {
    if (!guard) return;
    const { repository } = this;
    const protects = leftGroups.length > 0 && guard.protected_groups.length > 0;
    const emptied = protects ? await repository.emptyGroups(id, leftGroups, sql) : [];
    const lost = [groupName, ...emptied].find((name) => isProtected(guard, name)) ?? '';
    const deleted = isDeleted ? removal.kind : null;
    const window = await repository.lockWindow(id, guard.window_seconds, deleted, sql);
    if (window.isOpen) return;
    const reason = reasonOf(guard, window, removal, lost);
    if (reason) throw new RemovalHeldError(removal, reason);
    if (removal.operation !== 'empty') await repository.count(id, removal.kind, sql);
  }

  /**
   * Refuses a change in the transaction that has written it, if it leaves a protected role without an
   * active user. The transaction has locked the role mapping, so no other change is under way.
   *
   * @param lost roles that active users have lost by the change
   * @throws RemovalHeldError
   */
  async admitRoles(
    { id, guard }: GuardedDirectory,
    removal: Removal,
    lost: readonly string[],
    sql: SqlExecutor,
  ): Promise<void> {
    const names = protectedRolesOf(guard);
    const roles = lost.filter((role) => names.includes(role));
    if (!guard || roles.length === 0) return;
    const window = await this.repository.findWindow(id, guard.window_seconds, sql);
    if (window?.isOpen) return;
    const [role] = await this.repository.rolesWithoutUsers(id, roles, sql);
    if (role === undefined) return;
    const message = `The protected role ${role} would have no active user.`;
    throw new RemovalHeldError(removal, { reason: 'protected_role', message });
  }

  /** Whether `admitRoles` may refuse a change. */
  protectsRoles({ guard }: GuardedDirectory): boolean {
    return protectedRolesOf(guard).length > 0;
  }

  /** Whether the deletion of a group may take the last active user of a protected role. */
  async mayEndRole({ id, guard }: GuardedDirectory, groupId: string): Promise<boolean> {
    const roles = protectedRolesOf(guard);
    if (roles.length === 0) return false;
    return (await this.repository.rolesOfOneGroup(id, roles, groupId)).length > 0;
  }

  /** Whether a group must not be emptied without a decision. */
  protects({ guard }: GuardedDirectory, groupName: string): boolean {
    return guard !== null && isProtected(guard, groupName);
  }

  /**
   * Keeps a removal for the decision.
   *
   * @returns the held run; undefined if removals were approved or discarded meanwhile
   */
  async hold(
    { id }: GuardedDirectory,
    { removal, reason }: RemovalHeldError,
  ): Promise<string | undefined> {
    return this.repository.sql.transaction(async (sql) => {
      const run = await this.runs.hold(id, reason, sql);
      if (run?.state !== 'held') return undefined;
      await this.repository.hold(id, removal, sql);
      return run.id;
    });
  }

  /** Forgets the held removal of a resource that the provider has changed since. */
  async withdraw({ id, guard }: GuardedDirectory, kind: Removal['kind'], resourceId: string) {
    if (guard) await this.repository.withdraw(id, kind, [resourceId]);
  }

  /**
   * Takes note of a decision on the held removals of a directory. After an approval, what the provider
   * sends within an hour passes as well; what is discarded is forgotten.
   */
  async decided(
    directoryId: string,
    decision: 'applying' | 'discarded',
    sql: SqlExecutor,
  ): Promise<void> {
    if (decision === 'applying') await this.repository.open(directoryId, APPROVED_SECONDS, sql);
    else await this.repository.withdrawAll(directoryId, sql);
  }
}

/** @param window undefined if a new one begins with the removal */
function reasonOf(
  guard: GuardSettings,
  window: GuardWindow | undefined,
  { kind, operation }: Removal,
  groupName: string,
): GuardReason | undefined {
  if (isProtected(guard, groupName)) {
    const message = `The protected group ${groupName} would be deleted or emptied.`;
    return { reason: 'protected_group', message };
  }
  if (operation === 'empty' || operation === 'members' || !window) return undefined;
  const limit = limitOf(guard, kind === 'user' ? window.usersBefore : window.groupsBefore);
  const removed = kind === 'user' ? window.users : window.groups;
  if (removed < limit) return undefined;
  const removals = kind === 'user' ? 'users deleted or deactivated' : 'groups deleted';
  const message = `More than ${limit} ${removals} within ${guard.window_seconds} seconds.`;
  return { reason: 'too_many_deletions', message };
}

/** How many of a kind may be removed in a window. */
function limitOf({ max_deletes, max_delete_ratio }: GuardSettings, before: number): number {
  // 50 * 0.58 is a little less than 29.
  const byRatio =
    max_delete_ratio === null ? Infinity : Math.floor(before * max_delete_ratio + 1e-6);
  return Math.min(max_deletes ?? Infinity, byRatio);
}

function isProtected({ protected_groups: names }: GuardSettings, groupName: string): boolean {
  return names.some((name) => name.toLowerCase() === groupName.toLowerCase());
}

/** Settings that were stored before there were protected roles have none. */
function protectedRolesOf(guard: { protected_roles?: string[] } | null): readonly string[] {
  return guard?.protected_roles ?? [];
}
