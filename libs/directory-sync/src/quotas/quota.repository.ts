import { type Sql } from '@gatehouse/kit/sql';
import * as statements from './quota.sql.js';
import { eachUsage, NO_USAGE, type Usage, valuesOf } from './usage.js';

/** The part of a directory's quota that all processes together have reserved. */
export interface Reserved {
  reserved: Usage;
}

/** The largest block that a process reserves at once. */
const BLOCK_MAX: Usage = { users: 1_000, groups: 1_000, bytes: 64 * 1024 * 1024 };

type ReservedRow = Record<`${keyof Usage}Reserved`, string>;

export class QuotaRepository {
  constructor(
    private readonly sql: Sql,
    private readonly limits: Usage,
  ) {}

  /**
   * Reserves what is needed, and more in advance unless `exact`.
   *
   * @returns undefined, with nothing reserved, beyond a limit, unless `isForced`; and if the
   *   directory is gone
   */
  async reserve(
    directoryId: string,
    need: Usage,
    { isExact = false, isForced = false } = {},
  ): Promise<(Reserved & { granted: Usage }) | undefined> {
    const [row] = await this.sql.rows<ReservedRow & Record<keyof Usage, string>>(
      statements.RESERVE,
      [
        directoryId,
        ...valuesOf(need),
        ...valuesOf(this.limits),
        ...valuesOf(isExact ? NO_USAGE : BLOCK_MAX),
        isForced,
      ],
    );
    return row && { ...reservedOf(row), granted: eachUsage((name) => Number(row[name])) };
  }

  async giveBack(directoryId: string, usage: Usage): Promise<Reserved | undefined> {
    const values = [directoryId, ...valuesOf(usage)];
    const [row] = await this.sql.rows<ReservedRow>(statements.GIVE_BACK, values);
    return row && reservedOf(row);
  }

  /** Undefined if the directory is gone. */
  async find(directoryId: string): Promise<Reserved | undefined> {
    const [row] = await this.sql.rows<ReservedRow>(statements.FIND_RESERVED, [directoryId]);
    return row && reservedOf(row);
  }

  /**
   * Replaces the reservations by what is stored, at most once an hour: a killed process leaves
   * blocks behind that no other process can use.
   *
   * @returns false if it is not due
   */
  async recount(directoryId: string): Promise<boolean> {
    const claimed = await this.sql.rows(statements.CLAIM_COUNT, [directoryId]);
    if (claimed.length === 0) return false;
    await this.sql.transaction(async (transaction) => {
      await transaction.rows(statements.LOCK_RESERVED, [directoryId]);
      await transaction.rows(statements.COUNT_USAGE, [directoryId]);
    });
    return true;
  }
}

function reservedOf(row: ReservedRow): Reserved {
  return { reserved: eachUsage((name) => Number(row[`${name}Reserved`])) };
}
