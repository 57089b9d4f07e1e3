/** Deletes listed rows that no run needs any more, in batches. */
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { DELETE_UNSEEN } from './listing.sql.js';
import { type RunRepository } from './run.repository.js';
import { FIND_PREVIOUS } from './run.sql.js';
import { type Run } from './run.types.js';

const ROWS_AT_ONCE = 20_000;

/** Deletes a batch of what a run has not listed and nothing is linked to. Resolves to true after the last. */
export async function clearUnseen(
  sql: SqlExecutor,
  directoryId: string,
  runId: string,
): Promise<boolean> {
  let isDone = true;
  for (const statement of DELETE_UNSEEN) {
    const values = [directoryId, runId, ROWS_AT_ONCE];
    const [row] = await sql.rows<{ count: number }>(statement, values);
    if ((row?.count ?? 0) === ROWS_AT_ONCE) isDone = false;
  }
  return isDone;
}

/**
 * Deletes a batch of what runs have left behind that failed before their plan; of the runs before, only
 * what the last one listed is kept. Resolves to true after the last.
 */
export async function clearOld({ sql }: RunRepository, { directoryId, id }: Run): Promise<boolean> {
  const [previous] = await sql.rows<{ id: string }>(FIND_PREVIOUS, [directoryId, id]);
  return !previous || clearUnseen(sql, directoryId, previous.id);
}
