/**
 * Roles of users: what groups give them, kept as rows. Functions that write need the lock of the mapping
 * (`lockMapping`), which they get first of all in their transaction.
 */
import { foldCase } from '@gatehouse/scim';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { type EventRow } from '../events/event.types.js';
import * as effective from './effective.sql.js';
import * as statements from './mapping.sql.js';
import {
  type GroupChoice,
  type MappingState,
  type RoleChange,
  type RoleMapping,
  type RoleRule,
} from './role.types.js';

/** To give so many users their roles takes about a second, in which other changes of the directory wait. */
const FOLLOWED_MEMBERS_MAX = 10_000;

/** A mapping whose lock this transaction has. */
export interface LockedMapping {
  defaultRole: string | null;
  /** The newest number of an event before the change. */
  position: string;
}

/** The rules of a mapping apply to more groups than can be kept up. */
export class TooManyGroupsError extends Error {
  override readonly name = 'TooManyGroupsError';

  constructor() {
    super(`The rules apply to more than ${statements.ROLE_GROUPS_MAX} groups.`);
  }
}

/** Undefined if the directory has no mapping any more. */
export async function lockMapping(
  sql: SqlExecutor,
  directoryId: string,
): Promise<LockedMapping | undefined> {
  const [row] = await sql.rows<LockedMapping>(statements.LOCK_MAPPING, [directoryId]);
  return row;
}

export async function rolesOfUser(sql: SqlExecutor, userId: string): Promise<string[]> {
  const rows = await sql.rows<{ role: string }>(effective.ROLES_OF_USER, [userId]);
  return rows.map(({ role }) => role);
}

/** The roles that count while a user is active: none if it is not. */
export async function rolesOfActiveUser(sql: SqlExecutor, userId: string): Promise<string[]> {
  const rows = await sql.rows<{ role: string }>(effective.ROLES_OF_ACTIVE_USER, [userId]);
  return rows.map(({ role }) => role);
}

/** Users whose memberships this transaction has ended since the lock. */
export async function removedMembers(
  sql: SqlExecutor,
  directoryId: string,
  { position }: LockedMapping,
  limit: number,
): Promise<string[]> {
  const values = [directoryId, position, limit];
  const rows = await sql.rows<{ id: string }>(effective.REMOVED_MEMBERS, values);
  return rows.map(({ id }) => id);
}

/** Gives a new user the default role. */
export async function giveDefault(
  sql: SqlExecutor,
  directoryId: string,
  userId: string,
  role: string,
): Promise<void> {
  await sql.rows(effective.GIVE_DEFAULT, [directoryId, userId, role]);
}

/**
 * Finds the groups that the rules of a mapping apply to.
 *
 * @returns the groups that a rule has begun or ceased to apply to
 * @throws TooManyGroupsError
 */
export async function refreshGroups(
  sql: SqlExecutor,
  mappingId: string,
  directoryId: string,
): Promise<string[]> {
  type Row = { count: number; changedIds: string[] };
  const [row] = await sql.rows<Row>(statements.REFRESH_GROUPS, [mappingId, directoryId]);
  if (!row || row.count > statements.ROLE_GROUPS_MAX) throw new TooManyGroupsError();
  return row.changedIds;
}

/** Has all users given their roles anew by a job, after groups and members have changed in bulk. */
export async function applyAgain(sql: SqlExecutor, directoryId: string): Promise<void> {
  await refreshGroups(sql, directoryId, directoryId);
  await sql.rows(statements.APPLY_AGAIN, [directoryId]);
}

/**
 * Has all users given their roles anew by a job, if the groups have more members than one statement can
 * follow.
 *
 * @returns whether it is left to the job
 */
export async function leaveToJob(
  sql: SqlExecutor,
  directoryId: string,
  groupIds: readonly string[],
): Promise<boolean> {
  if (groupIds.length === 0) return false;
  const [row] = await sql.rows<{ members: number }>(statements.COUNT_MEMBERS, [groupIds]);
  if (!row || row.members <= FOLLOWED_MEMBERS_MAX) return false;
  await sql.rows(statements.APPLY_AGAIN, [directoryId]);
  return true;
}

type EventJson = Omit<EventRow, 'createdAt' | 'sequence'> & { createdAt: string; sequence: number };

/**
 * Changes the roles of those users whose memberships this transaction has changed since the lock, and of
 * the members of groups that a rule has begun or ceased to apply to.
 *
 * @returns the events, if wanted, and the roles that at least one active user has lost
 */
export async function followMembers(
  sql: SqlExecutor,
  { directoryId, wantsEvents }: { directoryId: string; wantsEvents: boolean },
  { position }: LockedMapping,
  groupIds: readonly string[],
): Promise<{ events: EventRow[]; lost: string[] }> {
  type Row = { events: EventJson[] | null; lost: string[] };
  const values = [directoryId, null, position, groupIds, wantsEvents];
  const [row] = await sql.rows<Row>(effective.FOLLOW_MEMBERS, values);
  const events = (row?.events ?? []).map((event) => ({
    ...event,
    sequence: String(event.sequence),
    createdAt: new Date(event.createdAt),
  }));
  return { events, lost: row?.lost ?? [] };
}

export type StoredMapping = Omit<RoleMapping, 'rules'> & {
  state: MappingState;
  users_total: number;
  users_processed: number;
  users_changed: number;
  updated_at: Date;
  applied_at: Date | null;
};

export async function findMapping(
  sql: SqlExecutor,
  directoryId: string,
): Promise<StoredMapping | undefined> {
  const [row] = await sql.rows<StoredMapping>(statements.FIND_MAPPING, [directoryId]);
  return row;
}

export async function listRules(
  sql: SqlExecutor,
  mappingId: string,
): Promise<(RoleRule & { groups: number })[]> {
  type Row = Record<'id' | 'external_id' | 'display_name', string | null> & {
    role: string;
    priority: number;
    groups: number;
  };
  const rows = await sql.rows<Row>(statements.LIST_RULES, [mappingId]);
  return rows.map(({ role, priority, groups, ...names }) => ({
    group: Object.fromEntries(
      Object.entries(names).filter(([, value]) => value !== null),
    ) as GroupChoice,
    role,
    priority,
    groups,
  }));
}

/** Replaces the mapping of a directory, whose revision the caller has changed. */
export async function storeMapping(
  sql: SqlExecutor,
  directoryId: string,
  mapping: RoleMapping,
  state: MappingState,
): Promise<void> {
  await sql.rows(statements.INTERRUPT_RUNS, [directoryId]);
  const { default_role, mode, rules } = mapping;
  await sql.rows(statements.STORE_MAPPING, [directoryId, directoryId, default_role, mode, state]);
  await sql.rows(statements.SET_MAPS_ROLES, [directoryId, true]);
  await sql.rows(statements.DELETE_RULES, [directoryId]);
  await insertRules(sql, directoryId, directoryId, rules);
  await refreshGroups(sql, directoryId, directoryId);
}

/** Stores a mapping for a preview in a transaction that the caller rolls back. */
export async function storePreview(
  sql: SqlExecutor,
  id: string,
  directoryId: string,
  { default_role, mode, rules }: RoleMapping,
): Promise<void> {
  await sql.rows(statements.INSERT_PREVIEW, [id, directoryId, default_role, mode]);
  await insertRules(sql, id, directoryId, rules);
  await refreshGroups(sql, id, directoryId);
}

async function insertRules(
  sql: SqlExecutor,
  mappingId: string,
  directoryId: string,
  rules: readonly RoleRule[],
): Promise<void> {
  const named = (name: string) =>
    rules.map(({ group }) => (group as Record<string, string | undefined>)[name] ?? null);
  const names = named('display_name');
  await sql.rows(statements.INSERT_RULES, [
    mappingId,
    named('id'),
    named('external_id'),
    names,
    names.map((name) => name && foldCase(name)),
    rules.map(({ role }) => role),
    rules.map(({ priority }) => priority),
    directoryId,
  ]);
}

/** Changes that a mapping would make to some users. */
export interface Comparison {
  processed: number;
  /** The position of the last user. */
  position: string | null;
  changed: number;
  roles: { role: string; gained: number; lost: number }[];
  examples: RoleChange[];
}

export async function compareUsers(
  sql: SqlExecutor,
  directoryId: string,
  mappingId: string,
  position: string,
  limits: { users: number; examples: number },
): Promise<Comparison> {
  const values = [directoryId, null, position, limits.users, mappingId, limits.examples];
  const [row] = await sql.rows<Comparison>(effective.COMPARE_USERS, values);
  return row as Comparison;
}
