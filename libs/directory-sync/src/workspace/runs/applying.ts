/**
 * The second half of a run: applies differences in batches, through the services of SCIM. A batch is
 * one transaction: the changes with their events, the links of the listed rows, and the progress of
 * the run. A process that ends anywhere leaves a whole batch behind or none of it, so that no event
 * is lost and none is doubled.
 */
import { type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import { writeGroup } from '../../scim/groups/group-write.js';
import { type GuardRepository } from '../../guard/guard.repository.js';
import { WriteLog } from '../../scim/protocol/write-log.js';
import * as differences from './difference.sql.js';
import * as members from './member-difference.sql.js';
import {
  type BatchContext,
  deleteBatch,
  type Differing,
  type Gone,
  GROUPS,
  requestOf,
  type ResourceKind,
  storeBatch,
  USERS,
  writeOne,
} from './resource-batch.js';
import { removeHeld } from './held-removals.js';
import { type Lease, type RunRepository } from './run.repository.js';
import { APPLYING_PHASES, type ApplyingPhase, type Run, type RunCounts } from './run.types.js';
import { type WorkspaceSettings } from './settings.types.js';

export interface Applying extends Pick<BatchContext, 'scopeOf'> {
  runs: RunRepository;
  guards: GuardRepository;
  lease: Lease;
  settings: WorkspaceSettings;
  /** Users or groups of one transaction; ten times as many members. */
  batchSize: number;
  /** Called after each commit, with what was written. */
  written: (log: WriteLog) => Promise<void>;
  signal: AbortSignal;
}

/** Groups with changed members that are looked up at once. */
const GROUPS_AT_ONCE = 200;
const MEMBERS_PER_RESOURCE = 10;

/** Applies the next batch of a run. */
export function applyBatch(applying: Applying, run: Run): Promise<Run> {
  switch (run.phase as ApplyingPhase) {
    case 'apply_users':
      return storeResources(applying, run, USERS);
    case 'apply_groups':
      return storeResources(applying, run, GROUPS);
    case 'add_members':
      return changeMembers(applying, run, ADDITIONS);
    case 'remove_members':
      return changeMembers(applying, run, REMOVALS);
    case 'delete_groups':
      return deleteResources(applying, run, GROUPS);
    case 'delete_users':
      return deleteResources(applying, run, USERS);
    case 'remove_held':
      return removeHeldRows(applying, run);
    case 'finish':
      return Promise.resolve(run);
  }
}

async function storeResources(applying: Applying, run: Run, kind: ResourceKind): Promise<Run> {
  const rows = await nextRows<Differing>(applying, run, kind.changed);
  return applyRows(applying, run, rows, (batch, counts) => storeBatch(batch, kind, rows, counts));
}

async function deleteResources(applying: Applying, run: Run, kind: ResourceKind): Promise<Run> {
  const rows = await nextRows<Gone>(applying, run, kind.gone);
  return applyRows(applying, run, rows, (batch, counts) => deleteBatch(batch, kind, rows, counts));
}

async function removeHeldRows(applying: Applying, run: Run): Promise<Run> {
  const { guards, batchSize, runs, lease } = applying;
  const removals = await guards.nextHeld(run.directoryId, batchSize);
  if (removals.length === 0) {
    return runs.save(run, lease, () => Promise.resolve({ ...run, phase: 'finish' as const }));
  }
  return commit(applying, run, async (batch) => ({
    ...run,
    counts: await removeHeld(batch, guards, removals, run.counts),
  }));
}

function nextRows<Row extends object>(
  { runs, batchSize }: Applying,
  { directoryId, id, position }: Run,
  statement: Statement,
): Promise<Row[]> {
  return runs.sql.rows<Row>(statement, [directoryId, id, position, batchSize]);
}

async function applyRows(
  applying: Applying,
  run: Run,
  rows: readonly { externalId: string }[],
  apply: (batch: BatchContext, counts: RunCounts) => Promise<RunCounts>,
): Promise<Run> {
  const position = rows.at(-1)?.externalId;
  if (position === undefined) {
    return applying.runs.save(run, applying.lease, (sql) => afterPhase(sql, run));
  }
  return commit(applying, run, async (batch) => ({
    ...run,
    position,
    counts: await apply(batch, run.counts),
  }));
}

interface MemberChange {
  groups: Statement;
  members: Statement;
  counted: 'members_added' | 'members_removed';
  setOf: (ids: string[]) => { addIds: string[]; removeIds: string[] };
}

const ADDITIONS: MemberChange = {
  groups: members.GROUPS_WITH_ADDITIONS,
  members: members.MEMBERS_TO_ADD,
  counted: 'members_added',
  setOf: (ids) => ({ addIds: ids, removeIds: [] }),
};

const REMOVALS: MemberChange = {
  groups: members.GROUPS_WITH_REMOVALS,
  members: members.MEMBERS_TO_REMOVE,
  counted: 'members_removed',
  setOf: (ids) => ({ addIds: [], removeIds: ids }),
};

/** Changes the members of the next groups. Memberships are compared again before each batch. */
async function changeMembers(applying: Applying, run: Run, change: MemberChange): Promise<Run> {
  const { runs, lease, settings, signal } = applying;
  const values = [run.directoryId, run.id, settings.flatten_groups];
  const next = [run.directoryId, run.id, run.position, GROUPS_AT_ONCE];
  const groups = await runs.sql.rows<Gone>(change.groups, next);
  if (groups.length === 0) return runs.save(run, lease, (sql) => afterPhase(sql, run));
  let current = run;
  for (const group of groups) {
    if (signal.aborted) return current;
    current = await changeMembersOf(applying, current, group, change, values);
  }
  return current;
}

async function changeMembersOf(
  applying: Applying,
  run: Run,
  { externalId, storedId }: Gone,
  { members, counted, setOf }: MemberChange,
  values: readonly unknown[],
): Promise<Run> {
  const limit = applying.batchSize * MEMBERS_PER_RESOURCE;
  const isMore = (count: number) => count === limit && !applying.signal.aborted;
  let current = run;
  for (let count = limit; isMore(count);) {
    const rows = await applying.runs.sql.rows<{ id: string }>(members, [
      ...values,
      externalId,
      limit,
    ]);
    count = rows.length;
    if (count === 0) break;
    const before = current;
    current = await commit(applying, before, async (batch) => {
      const set = setOf(rows.map(({ id }) => id));
      const changed = { members: { reset: false, ...set }, unusable: 0 };
      await writeOne(batch, (scope, log) =>
        writeGroup(scope, requestOf(scope), storedId, log, changed),
      );
      const counts = { ...before.counts, [counted]: before.counts[counted] + count };
      return { ...before, counts, position: count < limit ? externalId : before.position };
    });
  }
  return applying.signal.aborted ? current : { ...current, position: externalId };
}

/** Writes a batch in one transaction, and then passes on what it wrote. */
async function commit(
  applying: Applying,
  run: Run,
  work: (batch: BatchContext) => Promise<Run>,
): Promise<Run> {
  const { runs, lease, scopeOf, written } = applying;
  let log = new WriteLog();
  const next = await runs.save(run, lease, (sql) => {
    log = new WriteLog();
    return work({ sql, directoryId: run.directoryId, scopeOf, log });
  });
  if (log.hasWrites) await written(log);
  return next;
}

/**
 * Resources that could not be stored are retried once after the deletions: a user that was deleted and
 * created again at the provider has the same userName.
 */
async function afterPhase(sql: SqlExecutor, run: Run): Promise<Run> {
  const index = (APPLYING_PHASES as readonly string[]).indexOf(run.phase);
  const next = APPLYING_PHASES[index + 1] ?? 'finish';
  const started: Run = { ...run, phase: next, position: '' };
  const isIncomplete = run.holdReasons.some(({ reason }) => reason === 'incomplete_listing');
  const deletesNothing = run.secondRound || isIncomplete;
  if (next !== 'finish' && !(next === 'remove_members' && deletesNothing)) return started;
  const [row] = await sql.rows<{ count: number }>(differences.COUNT_FAILURES, [
    run.directoryId,
    run.id,
  ]);
  const failed = row?.count ?? 0;
  if (failed > 0 && !run.secondRound) {
    return { ...started, phase: 'apply_users', secondRound: true };
  }
  return { ...started, phase: 'finish', counts: { ...run.counts, failed } };
}
