import { type SqlExecutor } from '@gatehouse/kit/sql';
import { GIVE_BACK } from '../quotas/quota.sql.js';
import { minus, NO_USAGE, plus, type Usage, USAGE_NAMES, valuesOf } from '../quotas/usage.js';
import { ROOM } from './import.sql.js';

/** The part of a directory's quota that an import uses. */
export class Room {
  private added: Usage = NO_USAGE;

  private constructor(
    private readonly sql: SqlExecutor,
    private readonly directoryId: string,
    private readonly left: Usage,
  ) {}

  static async of(sql: SqlExecutor, directoryId: string, limits: Usage): Promise<Room> {
    const [reserved = NO_USAGE] = await sql.rows<Usage>(ROOM, [directoryId]);
    return new Room(sql, directoryId, minus(limits, reserved));
  }

  /** Takes the room that a new resource needs. @returns false when the quota is used up */
  take(usage: Usage): boolean {
    const added = plus(this.added, usage);
    if (USAGE_NAMES.some((name) => added[name] > this.left[name])) return false;
    this.added = added;
    return true;
  }

  /** Counts what was written, or freed, beyond what was taken. */
  count(usage: Usage): void {
    this.added = plus(this.added, usage);
  }

  async save(): Promise<void> {
    const freed = minus(NO_USAGE, this.added);
    await this.sql.rows(GIVE_BACK, [this.directoryId, ...valuesOf(freed)]);
  }
}
