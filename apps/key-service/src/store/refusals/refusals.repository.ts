import { retryLostRaces, Sql } from '@gatehouse/kit/sql';
import { VERIFICATION_ERRORS, type VerificationErrorCode } from '@gatehouse/schemas';
import { Injectable } from '@nestjs/common';
import * as statements from './refusals.sql.js';

/** Verifications of a key that were refused for one reason from one network. */
export interface Refusal {
  readonly keyId: string;
  readonly reason: VerificationErrorCode;
  /** The limit that refused; '' for none. */
  readonly limitName: string;
  /** '' if the address is not known. */
  readonly network: string;
  readonly firstMs: number;
  lastMs: number;
  count: number;
}

/** The same as it is listed. */
export interface RefusalView {
  error_code: VerificationErrorCode | undefined;
  limit: string;
  network: string;
  first_time: Date;
  last_time: Date;
  /** A decimal number. */
  count: string;
}

/** Rows that one statement deletes. */
const DELETED_MAX = 5_000;

@Injectable()
export class RefusalsRepository {
  constructor(private readonly sql: Sql) {}

  /** Adds refusals to those that are stored, by the names of their rows. */
  async add(refusals: readonly (readonly [name: string, Refusal])[]): Promise<void> {
    // One order everywhere: replicas that write the same rows would deadlock otherwise.
    const inOrder = [...refusals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
    const added = await retryLostRaces(() =>
      this.sql.rows<{ keyId: string; isNew: boolean }>(statements.ADD, [
        inOrder.map(({ keyId }) => keyId),
        inOrder.map(({ reason }) => VERIFICATION_ERRORS.indexOf(reason)),
        inOrder.map(({ limitName }) => limitName),
        inOrder.map(({ network }) => network),
        inOrder.map(({ firstMs }) => new Date(firstMs)),
        inOrder.map(({ lastMs }) => new Date(lastMs)),
        inOrder.map(({ count }) => count),
      ]),
    );
    const grown = new Set(added.filter(({ isNew }) => isNew).map(({ keyId }) => keyId));
    if (grown.size > 0) await retryLostRaces(() => this.sql.rows(statements.TRIM, [[...grown]]));
  }

  /** The last ones first. */
  async list(keyId: string): Promise<RefusalView[]> {
    type Row = Omit<RefusalView, 'error_code'> & { reason: number };
    const rows = await this.sql.rows<Row>(statements.LIST, [keyId]);
    return rows.map(({ reason, ...row }) => ({ error_code: VERIFICATION_ERRORS[reason], ...row }));
  }

  /** Deletes those whose last time is 30 days ago. */
  async deleteOld(): Promise<void> {
    for (let deleted = DELETED_MAX; deleted === DELETED_MAX;) {
      deleted = (await this.sql.rows(statements.DELETE_OLD, [DELETED_MAX])).length;
    }
  }
}
