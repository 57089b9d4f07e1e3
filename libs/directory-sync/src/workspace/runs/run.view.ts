import { type SqlExecutor } from '@gatehouse/kit/sql';
import * as differences from './difference.sql.js';
import * as members from './member-difference.sql.js';
import { planOf } from './plan.js';
import {
  type HoldReason,
  type RunCounts,
  type RunRow,
  type RunState,
  type RunTrigger,
} from './run.types.js';
import { type WorkspaceSettings } from './settings.types.js';

/** A run as administrators see it. */
export interface RunView {
  id: string;
  directory_id: string;
  trigger: RunTrigger;
  state: RunState;
  /** Counts of listed and applied changes so far. */
  counts: RunCounts;
  /** Pages of the listing. */
  pages: number;
  /** Requests to the provider. */
  api_calls: number;
  /** When the last listing began, of a run that listed nothing because nothing has changed since. */
  unchanged_since: string | null;
  /** Why it failed, is held or waits. */
  error: string | null;
  hold_reasons: HoldReason[];
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  duration_seconds: number | null;
}

interface Named {
  external_id: string;
  name: string;
}

interface NamedMember {
  group: string;
  group_name: string;
  member: string;
}

/** The changes of a held run: all counts, and the first 100 of each kind. */
export interface PlanView {
  counts: Omit<RunCounts, 'failed' | `${string}_listed`>;
  users_created: Named[];
  users_updated: Named[];
  users_deleted: Named[];
  groups_created: Named[];
  groups_updated: Named[];
  groups_deleted: Named[];
  members_added: NamedMember[];
  members_removed: NamedMember[];
}

export interface RunFailure {
  kind: 'user' | 'group';
  external_id: string;
  reason: string;
}

export interface RunDetails extends RunView {
  /** The plan of a held run. */
  plan: PlanView | null;
  /** Users and groups that the latest run could not store, at most 100 of each. */
  failures: RunFailure[];
}

export function runView(run: RunRow): RunView {
  const { startedAt, finishedAt } = run;
  return {
    id: run.id,
    directory_id: run.directoryId,
    trigger: run.trigger,
    state: run.state,
    counts: run.counts,
    pages: run.pages,
    api_calls: run.apiCalls,
    unchanged_since: run.unchangedSince?.toISOString() ?? null,
    error: run.error,
    hold_reasons: run.holdReasons,
    created_at: run.createdAt.toISOString(),
    started_at: startedAt?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
    duration_seconds:
      startedAt && finishedAt ? (finishedAt.getTime() - startedAt.getTime()) / 1_000 : null,
  };
}

export async function runDetails(
  sql: SqlExecutor,
  run: RunRow,
  settings: WorkspaceSettings,
  heldView: () => Promise<PlanView>,
): Promise<RunDetails> {
  const values = [run.directoryId, run.id];
  const planOfRun = run.trigger === 'scim' ? heldView : () => planView(sql, run, settings);
  const plan = run.state === 'held' ? await planOfRun() : null;
  const failures = await sql.rows<RunFailure>(differences.FAILURES, values);
  return { ...runView(run), plan, failures };
}

async function planView(
  sql: SqlExecutor,
  run: RunRow,
  settings: WorkspaceSettings,
): Promise<PlanView> {
  const values = [run.directoryId, run.id];
  const { users, groups, members: memberships } = await planOf(sql, run, settings);
  const lists = Object.entries(differences.SHOWN).map(
    async ([kind, statement]) => [kind, await sql.rows<Named>(statement, values)] as const,
  );
  const shown = Object.fromEntries(await Promise.all(lists)) as Record<
    keyof typeof differences.SHOWN,
    Named[]
  >;
  const view: PlanView = {
    counts: {
      users_created: users.created,
      users_updated: users.updated,
      users_deleted: users.deleted,
      groups_created: groups.created,
      groups_updated: groups.updated,
      groups_deleted: groups.deleted,
      members_added: memberships.added,
      members_removed: memberships.removed,
    },
    ...shown,
    members_added: await shownMembers(sql, run, settings, members.SHOWN_ADDITIONS),
    members_removed: await shownMembers(sql, run, settings, members.SHOWN_REMOVALS),
  };
  return isIncomplete(run) ? withoutDeletions(view) : view;
}

/** The first memberships that change, group by group. */
async function shownMembers(
  sql: SqlExecutor,
  { directoryId, id }: RunRow,
  { flatten_groups: flattens }: WorkspaceSettings,
  statements: typeof members.SHOWN_ADDITIONS,
): Promise<NamedMember[]> {
  const shown: NamedMember[] = [];
  const values = [directoryId, id, differences.SHOWN_MAX];
  const groups = await sql.rows<{ id: string; name: string }>(statements.groups, values);
  for (const group of groups) {
    const left = differences.SHOWN_MAX - shown.length;
    if (left === 0) break;
    const rows = await sql.rows<{ member: string }>(statements.members, [
      directoryId,
      id,
      flattens,
      group.id,
      left,
    ]);
    shown.push(...rows.map(({ member }) => ({ group: group.id, group_name: group.name, member })));
  }
  return shown;
}

/** Whether the listing is incomplete: its run deletes nothing. */
function isIncomplete({ holdReasons }: RunRow): boolean {
  return holdReasons.some(({ reason }) => reason === 'incomplete_listing');
}

function withoutDeletions(view: PlanView): PlanView {
  const none = { users_deleted: 0, groups_deleted: 0, members_removed: 0 };
  const empty = { users_deleted: [], groups_deleted: [], members_removed: [] };
  return { ...view, counts: { ...view.counts, ...none }, ...empty };
}
