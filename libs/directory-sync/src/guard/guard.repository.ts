import { type Sql, type SqlExecutor } from '@gatehouse/service-kit';
import * as statements from './guard.sql.js';
import {
  type GuardSettings,
  type GuardWindow,
  type HeldRemoval,
  type Removal,
  type RemovedKind,
} from './guard.types.js';

type Operation = Removal['operation'];

/** Windows and held removals of guarded directories. */
export class GuardRepository {
  constructor(readonly sql: Sql) {}

  /** The window of a directory, which stays locked; a new one if the last is over. */
  async lockWindow(
    directoryId: string,
    windowSeconds: number,
    sql: SqlExecutor,
  ): Promise<GuardWindow> {
    await sql.rows(statements.CREATE_WINDOW, [directoryId]);
    const values = [directoryId, windowSeconds];
    const [window] = await sql.rows<GuardWindow>(statements.LOCK_WINDOW, values);
    if (!window?.isOver) return window as GuardWindow;
    const [started] = await sql.rows<Partial<GuardWindow>>(statements.START_WINDOW, [directoryId]);
    return { ...window, ...started, users: 0, groups: 0 };
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
    { kind, id, operation }: Removal,
    sql: SqlExecutor,
  ): Promise<void> {
    await sql.rows(statements.HOLD, [directoryId, kind, id, operation]);
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
  ): Promise<{ kind: RemovedKind; operation: Operation; count: number }[]> {
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
