/**
 * Writes the members of groups. They are compared one by one: what the source has added or removed since
 * the last import is added or removed, and all other members stay as they are.
 */
import { isUuid } from '@gatehouse/kit/ids';
import { conflict, type ImportScope, type Known } from './import-scope.js';
import * as statements from './import.sql.js';
import { type SourceGroup } from './import.types.js';

const PAIRS_AT_ONCE = 5_000;

interface Pair {
  groupId: string;
  memberId: string;
}

/** Members that were not found yet: a group may come before the groups that are its members. */
export type Missing = Pair[];

/**
 * @param created the groups of the batch that were created
 * @param known those that were imported before
 * @returns the members that are no users or groups of the directory so far
 */
export async function importMembers(
  scope: ImportScope,
  batch: readonly SourceGroup[],
  created: readonly string[],
  known: ReadonlyMap<string, Known>,
): Promise<Missing> {
  const isNew = new Set(created);
  const add: Pair[] = [];
  const remove: Pair[] = [];
  const wanted = new Map<string, Set<string>>();
  for (const group of batch) {
    const id = group.id.toLowerCase();
    const before = known.get(id);
    const isStored = isNew.has(id) || (before !== undefined && before.current !== null);
    if (!isStored) continue;
    const members = memberSet(group);
    const old = new Set(before?.members ?? []);
    wanted.set(id, members);
    for (const memberId of members) if (!old.has(memberId)) add.push({ groupId: id, memberId });
    for (const memberId of old) if (!members.has(memberId)) remove.push({ groupId: id, memberId });
    scope.report.members.unchanged += [...members].filter((memberId) => old.has(memberId)).length;
  }
  const changing = new Set([...add, ...remove].map(({ groupId }) => groupId));
  if (changing.size === 0) return [];
  await scope.sql.rows(statements.LOCK_GROUPS, [scope.directoryId, [...changing]]);
  const removed = await removeMembers(scope, remove);
  const { missing, added } = await addMembers(scope, add);
  await countMembers(scope, [...removed, ...added], created);
  const missed = new Set(missing.map(keyOf));
  for (const groupId of changing) {
    const members = [...(wanted.get(groupId) ?? [])];
    await saveMembers(
      scope,
      groupId,
      members.filter((memberId) => !missed.has(keyOf({ groupId, memberId }))),
    );
  }
  return missing;
}

/** Adds members that were missing when their group was read; those that still are, are orphans. */
export async function importMissing(scope: ImportScope, missing: Missing): Promise<void> {
  if (missing.length === 0) return;
  const { missing: orphans, added } = await addMembers(scope, missing);
  await countMembers(scope, added, []);
  const orphaned = new Set(orphans.map(keyOf));
  for (const pair of missing) {
    if (orphaned.has(keyOf(pair))) continue;
    await scope.sql.rows(statements.ADD_SAVED_MEMBER, [
      scope.directoryId,
      pair.groupId,
      pair.memberId,
    ]);
  }
  for (const { groupId, memberId } of orphans) {
    conflict(scope, 'member', memberId, 'orphan_member', `of the group ${groupId}`);
  }
}

/** The distinct ids of members, in lower case. */
export function memberSet({ memberIds }: SourceGroup): Set<string> {
  return new Set(memberIds.map((id) => id.toLowerCase()));
}

async function addMembers(scope: ImportScope, pairs: readonly Pair[]) {
  const { sql, directoryId, report } = scope;
  const usable = pairs.filter(({ memberId }) => isUuid(memberId));
  const found = new Set<string>();
  const added: Pair[] = [];
  for (const some of slices(usable)) {
    const rows = await sql.rows<Pair & { isNew: boolean }>(statements.ADD_MEMBERS, [
      directoryId,
      ...columnsOf(some),
    ]);
    for (const row of rows) {
      found.add(keyOf(row));
      if (row.isNew) added.push(row);
    }
  }
  report.members.created += added.length;
  return { added, missing: pairs.filter((pair) => !found.has(keyOf(pair))) };
}

async function removeMembers(scope: ImportScope, pairs: readonly Pair[]): Promise<Pair[]> {
  const removed: Pair[] = [];
  for (const some of slices(pairs)) {
    const values = [scope.directoryId, ...columnsOf(some)];
    removed.push(...(await scope.sql.rows<Pair>(statements.REMOVE_MEMBERS, values)));
  }
  scope.report.members.deleted += removed.length;
  return removed;
}

async function countMembers(
  { sql, directoryId }: ImportScope,
  changed: readonly Pair[],
  created: readonly string[],
): Promise<void> {
  const groupIds = [...new Set(changed.map(({ groupId }) => groupId))];
  if (groupIds.length === 0) return;
  await sql.rows(statements.COUNT_MEMBERS, [directoryId, groupIds, created]);
}

async function saveMembers(
  { sql, directoryId }: ImportScope,
  groupId: string,
  memberIds: readonly string[],
): Promise<void> {
  await sql.rows(statements.SAVE_MEMBERS, [directoryId, groupId, memberIds]);
}

const keyOf = ({ groupId, memberId }: Pair) => `${groupId} ${memberId}`;

function columnsOf(pairs: readonly Pair[]): [string[], string[]] {
  return [pairs.map(({ groupId }) => groupId), pairs.map(({ memberId }) => memberId)];
}

function* slices(pairs: readonly Pair[]): Generator<readonly Pair[]> {
  const step = PAIRS_AT_ONCE;
  for (let at = 0; at < pairs.length; at += step) yield pairs.slice(at, at + step);
}
