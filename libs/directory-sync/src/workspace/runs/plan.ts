/** The plan of a run: its changes, and whether they are allowed. */
import { type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import { clearUnseen } from './clearing.js';
import * as statements from './difference.sql.js';
import { COUNT_MEMBERS, LOST_PROTECTED_GROUPS } from './member-difference.sql.js';
import { type Lease, type RunRepository } from './run.repository.js';
import { type HoldReason, type Run } from './run.types.js';
import { type WorkspaceSettings } from './settings.types.js';

/** The part of a directory that a run may delete or deactivate without a decision. */
export const DEFAULT_DELETE_RATIO = 0.2;

/** The part of the memberships that a run may remove, and how many it always may. */
const DEFAULT_REMOVAL_RATIO = 0.5;
const REMOVALS_ALLOWED = 100;

interface KindCounts {
  listed: number;
  /** Resources in the directory. */
  stored: number;
  created: number;
  updated: number;
  deleted: number;
}

export interface Plan {
  users: KindCounts & { deactivated: number };
  groups: KindCounts;
  members: { added: number; removed: number; listed: number };
  lostGroups: string[];
}

export async function planOf(
  sql: SqlExecutor,
  { directoryId, id }: Run,
  { protected_groups: names }: WorkspaceSettings,
): Promise<Plan> {
  const values = [directoryId, id];
  const one = async <Row extends object>(statement: Statement) =>
    (await sql.rows<Row>(statement, values))[0] as Row;
  const users = await one<KindCounts>(statements.COUNT_USERS);
  const deactivated =
    users.updated === 0 ? 0 : (await one<{ count: number }>(statements.COUNT_DEACTIVATED)).count;
  const lowered = names.map((name) => name.toLowerCase());
  const lost = lowered.length
    ? await sql.rows<{ name: string }>(LOST_PROTECTED_GROUPS, [...values, lowered])
    : [];
  return {
    users: { ...users, deactivated },
    groups: await one<KindCounts>(statements.COUNT_GROUPS),
    members: await one<Plan['members']>(COUNT_MEMBERS),
    lostGroups: lost.map(({ name }) => name),
  };
}

/** Compares a whole listing with what is stored, and decides how the run goes on. */
export function planRun(
  runs: RunRepository,
  run: Run,
  lease: Lease,
  settings: WorkspaceSettings,
  defaultRatio: number,
): Promise<Run> {
  return runs.save(run, lease, async (sql) => {
    const isIncomplete = run.holdReasons.length > 0;
    if (!isIncomplete && !(await clearUnseen(sql, run.directoryId, run.id))) return run;
    const plan = await planOf(sql, run, settings);
    // An incomplete listing deletes nothing, so there is nothing else to guard.
    const holdReasons = isIncomplete
      ? run.holdReasons
      : holdReasonsOf(plan, settings, defaultRatio);
    if (holdReasons.length > 0) return { ...run, holdReasons, phase: 'hold' };
    return {
      ...run,
      state: 'applying',
      position: '',
      phase: hasChanges(plan) ? 'apply_users' : 'finish',
    };
  });
}

function hasChanges({ users, groups, members }: Plan): boolean {
  const ofKind = ({ created, updated, deleted }: KindCounts) => created + updated + deleted;
  return ofKind(users) + ofKind(groups) + members.added + members.removed > 0;
}

/** Why a plan is not applied without the decision of an administrator; empty if it may be. */
function holdReasonsOf(
  { users, groups, members, lostGroups }: Plan,
  { max_deletes: max, max_delete_ratio, max_member_removal_ratio }: WorkspaceSettings,
  defaultRatio: number,
): HoldReason[] {
  const reasons: HoldReason[] = [];
  const ratio = max_delete_ratio ?? defaultRatio;
  const check = (name: string, lost: number, { stored, listed }: KindCounts) => {
    if (stored > 0 && listed === 0) {
      const message = `The provider listed no ${name}, and the directory has ${stored}.`;
      reasons.push({ reason: 'empty_listing', message });
    } else if (lost > stored * ratio || (max !== null && lost > max)) {
      const limit = lost > stored * ratio ? `${percent(ratio)} of ${stored}` : `${max}`;
      const message = `${lost} ${name} would be deleted or deactivated; the limit is ${limit}.`;
      reasons.push({ reason: 'too_many_deletions', message });
    }
  };
  check('users', users.deleted + users.deactivated, users);
  check('groups', groups.deleted, groups);
  if (members.removed > 1 && members.listed === 0 && users.listed > 0 && groups.listed > 0) {
    const message = `The provider listed no members, and ${members.removed} would be removed.`;
    reasons.push({ reason: 'empty_listing', message });
  } else if (removesTooMany(members, max_member_removal_ratio)) {
    const limit = `${percent(max_member_removal_ratio ?? DEFAULT_REMOVAL_RATIO)} of ${storedOf(members)}`;
    const message = `${members.removed} memberships would be removed; the limit is ${limit}.`;
    reasons.push({ reason: 'too_many_removals', message });
  }
  if (lostGroups.length > 0) {
    const message = `Protected groups would be deleted or emptied: ${lostGroups.join(', ')}.`;
    reasons.push({ reason: 'protected_group', message });
  }
  return reasons;
}

/** Small groups change as a whole, so the default ratio holds no run that removes few memberships. */
function removesTooMany(members: Plan['members'], ratio: number | null): boolean {
  if (ratio === null && members.removed <= REMOVALS_ALLOWED) return false;
  return members.removed > storedOf(members) * (ratio ?? DEFAULT_REMOVAL_RATIO);
}

function storedOf({ listed, added, removed }: Plan['members']): number {
  return listed - added + removed;
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 1_000) / 10} %`;
}
