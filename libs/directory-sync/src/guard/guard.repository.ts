import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import * as statements from './guard.sql.js';
import {
  type GuardSettings,
  type GuardWindow,
  type HeldMember,
  type HeldRemoval,
  type Removal,
  type RemovedKind,
} from './guard.types.js';

type Operation = Removal['operation'];

/** Members of one request that are kept; the provider repeats the others. */
export const HELD_MEMBERS_MAX = 10_000;

/** Windows and held removals of guarded directories. */
export class GuardRepository {
  constructor(readonly sql: Sql) {}

  async findWindow(
    directoryId: string,
    windowSeconds: number,
    sql: SqlExecutor = this.sql,
  ): Promise<GuardWindow | undefined> {
    const values = [directoryId, windowSeconds];
    const [window] = await sql.rows<GuardWindow>(statements.FIND_WINDOW, values);
    return window;
  }

  /**
   * The window of a directory, which stays locked; a new one if the last is over and removals are
   * counted.
   *
   * @param deleted what this transaction has deleted
   */
  async lockWindow(
    directoryId: string,
    windowSeconds: number,
    deleted: RemovedKind | null,
    sql: SqlExecutor,
  ): Promise<GuardWindow> {
    await sql.rows(statements.CREATE_WINDOW, [directoryId]);
    const values = [directoryId, windowSeconds];
    const [window] = await sql.rows<GuardWindow>(statements.LOCK_WINDOW, values);
    if (!window?.isOver || window.isOpen) return window as GuardWindow;
    const [started] = await sql.rows<Partial<GuardWindow>>(statements.START_WINDOW, [
      directoryId,
      deleted === 'user' ? 1 : 0,
      deleted === 'group' ? 1 : 0,
    ]);
    return { ...window, ...started, users: 0, groups: 0 };
  }

  /** Names of those groups that have no members. */
  async emptyGroups(
    directoryId: string,
    ids: readonly string[],
    sql: SqlExecutor,
  ): Promise<string[]> {
    const rows = await sql.rows<{ name: string }>(statements.EMPTY_GROUPS, [directoryId, ids]);
    return rows.map(({ name }) => name);
  }

  /** The roles that no active user has. */
  async rolesWithoutUsers(
    directoryId: string,
    roles: readonly string[],
    sql: SqlExecutor,
  ): Promise<string[]> {
    const rows = await sql.rows<{ role: string }>(statements.ROLES_WITHOUT_USERS, [
      directoryId,
      roles,
    ]);
    return rows.map(({ role }) => role);
  }

  /** The roles that active users have only through the group and its nested groups. */
  async rolesOfOneGroup(
    directoryId: string,
    roles: readonly string[],
    groupId: string,
  ): Promise<string[]> {
    const values = [directoryId, roles, groupId];
    const rows = await this.sql.rows<{ role: string }>(statements.ROLES_OF_ONE_GROUP, values);
    return rows.map(({ role }) => role);
  }

  async count(directoryId: string, kind: RemovedKind, sql: SqlExecutor): Promise<void> {
    const statement = kind === 'user' ? statements.COUNT_USER : statements.COUNT_GROUP;
    await sql.rows(statement, [directoryId]);
  }

  /** Lets removals pass for a time. */
  async open(directoryId: string, seconds: number, sql: SqlExecutor): Promise<void> {
    await sql.rows(statements.OPEN_WINDOW, [directoryId, seconds]);
  }

  async hold(
    directoryId: string,
    { kind, id, operation, memberIds = [] }: Removal,
    sql: SqlExecutor,
  ): Promise<void> {
    const values = [directoryId, kind, id, operation, memberIds.slice(0, HELD_MEMBERS_MAX)];
    await sql.rows(statements.HOLD, values);
  }

  async withdraw(
    directoryId: string,
    kind: RemovedKind,
    ids: readonly string[],
    sql: SqlExecutor = this.sql,
  ): Promise<void> {
    await sql.rows(statements.WITHDRAW, [directoryId, kind, ids]);
  }

  async withdrawAll(directoryId: string, sql: SqlExecutor): Promise<void> {
    await sql.rows(statements.WITHDRAW_ALL, [directoryId]);
  }

  countHeld(
    directoryId: string,
  ): Promise<{ kind: RemovedKind; operation: Operation; count: number; members: number }[]> {
    return this.sql.rows(statements.COUNT_HELD, [directoryId]);
  }

  listHeld(
    directoryId: string,
    kind: RemovedKind,
    operation: Operation,
    limit: number,
  ): Promise<HeldRemoval[]> {
    return this.sql.rows(statements.LIST_HELD, [directoryId, kind, operation, limit]);
  }

  listHeldMembers(directoryId: string, limit: number): Promise<HeldMember[]> {
    return this.sql.rows(statements.LIST_HELD_MEMBERS, [directoryId, limit]);
  }

  nextHeld(directoryId: string, limit: number): Promise<Removal[]> {
    return this.sql.rows(statements.NEXT_HELD, [directoryId, limit]);
  }

  async find(directoryId: string, sql: SqlExecutor): Promise<GuardSettings | null> {
    type Row = { guard: GuardSettings | null };
    const [row] = await sql.rows<Row>(statements.FIND_GUARD, [directoryId]);
    return row?.guard ?? null;
  }

  /** @param settings null for no guard */
  async store(
    directoryId: string,
    settings: GuardSettings | null,
    sql: SqlExecutor,
  ): Promise<void> {
    await sql.rows(statements.STORE_GUARD, [directoryId, settings]);
  }
}
