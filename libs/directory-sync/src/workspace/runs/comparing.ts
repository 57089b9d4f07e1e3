/**
 * Before the plan of a run: compares the members of a few groups at a time, so that each statement is
 * short. What was found is noted with the groups.
 */
import { sqlFault } from '@gatehouse/kit/sql';
import { checkBounds, checkNestedGroups, type ListingBounds } from './bounds.js';
import * as statements from './member-difference.sql.js';
import { type Lease, type RunRepository } from './run.repository.js';
import { RunRefusal } from './run.refusal.js';
import { type Run } from './run.types.js';
import { type WorkspaceSettings } from './settings.types.js';

export interface Comparing {
  runs: RunRepository;
  lease: Lease;
  settings: WorkspaceSettings;
  bounds: ListingBounds;
}

interface GroupToCompare {
  id: string;
  /** Whether it is flattened and has groups inside. */
  nests: boolean;
}

const GROUPS_AT_ONCE = 20;
const STATEMENT_TIMEOUT = '57014';

/** Compares the next groups of a run. Undefined after the last. @throws RunRefusal */
export async function compareMembers(comparing: Comparing, run: Run): Promise<Run | undefined> {
  const { runs, bounds, settings } = comparing;
  const values = [run.directoryId, run.id];
  const { flatten_groups: flattens } = settings;
  if (flattens && run.position === '') {
    const counted = [...values, bounds.nestedGroups];
    const [row] = await runs.sql.rows<{ count: number }>(statements.COUNT_NESTED, counted);
    checkNestedGroups(row?.count ?? 0, bounds);
  }
  const next = [...values, flattens, run.position, GROUPS_AT_ONCE];
  const rows = await runs.sql.rows<GroupToCompare>(statements.GROUPS_TO_COMPARE, next);
  const ids = comparedAtOnce(rows);
  const [first] = ids;
  if (first === undefined) return undefined;
  try {
    return await compare(comparing, run, ids).catch((error: unknown) => {
      if (!isTimeout(error) || ids.length === 1) throw error;
      return compare(comparing, run, [first]);
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw new RunRefusal(
      `The members of the group "${first}" could not be compared in time. ` +
        'It has too many members, or the database is too busy.',
      { cause: error },
    );
  }
}

/** The first groups without groups inside, or one that has some. */
function comparedAtOnce(groups: readonly GroupToCompare[]): string[] {
  const nesting = groups.findIndex(({ nests }) => nests);
  const together = nesting === -1 ? groups : groups.slice(0, Math.max(nesting, 1));
  return together.map(({ id }) => id);
}

function compare(
  { runs, lease, settings, bounds }: Comparing,
  run: Run,
  ids: readonly string[],
): Promise<Run> {
  return runs.save(run, lease, async (sql) => {
    const values = [run.directoryId, run.id, settings.flatten_groups, ids];
    const [row] = await sql.rows<{ listed: number }>(statements.COMPARE_MEMBERS, values);
    const memberships = run.amounts.memberships + (row?.listed ?? 0);
    const next: Run = {
      ...run,
      position: ids.at(-1) ?? run.position,
      amounts: { ...run.amounts, memberships },
    };
    checkBounds(next, bounds);
    return next;
  });
}

function isTimeout(error: unknown): boolean {
  return sqlFault(error).code === STATEMENT_TIMEOUT;
}
