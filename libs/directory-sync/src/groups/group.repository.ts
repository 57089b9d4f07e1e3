import { deriveGroup, foldCase, type JsonObject, type ScimResource } from '@gatehouse/scim';
import { type Executor, type Statement } from '../database/database.js';
import { storedText } from '../database/stored-text.js';
import { inDirectory } from '../directories/scope.js';
import { ANNOUNCED, logged } from '../events/event.sql.js';
import type { EventRow } from '../events/event.types.js';
import type { UserScope } from '../users/user.repository.js';
import {
  addedCte,
  eventsOf,
  foundCte,
  GROUP_COLUMNS,
  groupEvent,
  membershipEvents,
  takenButCte,
  takenByIdCte,
} from './group.sql.js';
import type { GroupRow } from './group.types.js';

/** Where a group's change belongs, and what the caller wants to know of it. */
export interface GroupScope extends UserScope {
  /** In directories of some types no two groups have the same name. */
  hasUniqueNames: boolean;
}

/** Members to add and to remove. With `reset` all go that are not among those to add. */
export interface MemberSet {
  reset: boolean;
  addIds: readonly string[];
  removeIds: readonly string[];
}

export interface GroupWrite {
  group: GroupRow;
  events: EventRow[];
  /** How many of the ids to add were nobody of this directory. */
  ignored: number;
}

type WriteRow = GroupRow & { found: number; events: EventJson[] | null };
type EventJson = Omit<EventRow, 'createdAt' | 'sequence'> & { createdAt: string; sequence: number };

/**
 * Creates a group with its members and their events. Undefined when the directory is gone or has
 * another revision.
 */
export async function insertGroup(
  executor: Executor,
  scope: GroupScope,
  id: string,
  raw: ScimResource,
  memberIds: readonly string[],
): Promise<GroupWrite | undefined> {
  const [row] = await executor.run<WriteRow>(INSERT, [
    scope.directoryId,
    scope.revision,
    id,
    scope.wantsEvents,
    memberIds,
    ...columnsOf(raw, scope),
  ]);
  return row && writeOf(row, memberIds.length);
}

/**
 * Changes members, and attributes where `attributes` is given, in one statement. Nothing is written
 * when nothing changes. With `version` only that version is changed.
 *
 * @returns undefined when the group is gone or has another version, or the directory another revision
 */
export async function changeGroup(
  executor: Executor,
  scope: GroupScope,
  id: string,
  version: number | null,
  members: MemberSet,
  attributes?: { raw: ScimResource; previous: JsonObject },
): Promise<GroupWrite | undefined> {
  const statement = members.reset ? REPLACE_MEMBERS : CHANGE_MEMBERS;
  const [row] = await executor.run<WriteRow>(statement, [
    scope.directoryId,
    scope.revision,
    id,
    scope.wantsEvents,
    members.addIds,
    ...(attributes ? columnsOf(attributes.raw, scope) : [null, null, null, null, null]),
    version,
    attributes ? JSON.stringify(attributes.previous) : null,
    ...(members.reset ? [] : [members.removeIds]),
  ]);
  return row && writeOf(row, members.addIds.length);
}

/** Deletes a group with its memberships, those in other groups too; undefined when it is gone. */
export async function deleteGroup(
  executor: Executor,
  scope: GroupScope,
  id: string,
  version: number | null,
): Promise<EventRow[] | undefined> {
  await executor.run(LOCK_PARENTS, [scope.directoryId, id]);
  const values = [scope.directoryId, scope.revision, id, scope.wantsEvents, version];
  const [row] = await executor.run<{ events: EventJson[] | null }>(DELETE, values);
  return row && eventRows(row.events);
}

export async function findGroup(
  executor: Executor,
  directoryId: string,
  id: string,
): Promise<GroupRow | undefined> {
  const [row] = await executor.run<GroupRow>(FIND, [directoryId, id]);
  return row;
}

/** Holds a group against other writers until the end of the transaction. */
export async function lockGroup(
  executor: Executor,
  directoryId: string,
  id: string,
): Promise<void> {
  await executor.run(LOCK, [directoryId, id]);
}

function columnsOf(raw: ScimResource, scope: GroupScope): unknown[] {
  const { displayName } = deriveGroup(raw);
  const folded = foldCase(displayName);
  return [
    storedText(raw),
    displayName,
    folded,
    scope.hasUniqueNames ? folded : null,
    typeof raw.externalId === 'string' ? raw.externalId : null,
  ];
}

function writeOf({ found, events, ...group }: WriteRow, wantedCount: number): GroupWrite {
  return { group, events: eventRows(events), ignored: wantedCount - found };
}

function eventRows(events: EventJson[] | null): EventRow[] {
  return (events ?? []).map((event) => ({
    ...event,
    sequence: String(event.sequence),
    createdAt: new Date(event.createdAt),
  }));
}

const FIND: Statement = {
  name: 'dsync_find_group',
  text: `SELECT ${GROUP_COLUMNS} FROM dsync.groups g WHERE g.id = $2 AND ${inDirectory('g')}`,
};

const LOCK: Statement = {
  name: 'dsync_lock_group',
  text: `SELECT FROM dsync.groups g WHERE g.id = $2 AND ${inDirectory('g')} FOR NO KEY UPDATE`,
};

const FOUND_COUNT = '(SELECT count(*) FROM found)::integer AS found';

const INSERT: Statement = {
  name: 'dsync_insert_group',
  text: `WITH ${ANNOUNCED},
    ${foundCte('$5', '$3')},
    written AS (
      INSERT INTO dsync.groups (directory_id, id, raw, display_name, display_name_lower,
        unique_name, external_id, member_count)
      SELECT $1, $3::uuid, $6::jsonb, $7, $8, $9, $10, (SELECT count(*) FROM found)
      FROM announced
      RETURNING *),
    ${addedCte('written')},
    ${logged(
      `${groupEvent('group.created', 'written', 'NULL')}
        UNION ALL ${membershipEvents(2, 'group.user_added', 'added', 'written')}`,
      'rank, user_id',
    )}
    SELECT ${GROUP_COLUMNS}, ${FOUND_COUNT}, ${eventsOf('$4')} FROM written g`,
};

const changeText = (taken: string) =>
  `WITH ${ANNOUNCED},
    target AS MATERIALIZED (
      SELECT g.* FROM announced, dsync.groups g
      WHERE g.id = $3 AND ($11::integer IS NULL OR g.version = $11) AND ${inDirectory('g')}
      FOR NO KEY UPDATE OF g),
    ${foundCte('$5', '$3')},
    ${taken},
    ${addedCte('target')},
    written AS (
      UPDATE dsync.groups g SET version = g.version + 1, updated_at = now(),
        member_count = g.member_count
          + (SELECT count(*) FROM added)::integer - (SELECT count(*) FROM taken)::integer,
        raw = coalesce($6::jsonb, g.raw),
        display_name = coalesce($7, g.display_name),
        display_name_lower = coalesce($8, g.display_name_lower),
        unique_name = CASE WHEN $6::jsonb IS NULL THEN g.unique_name ELSE $9 END,
        external_id = CASE WHEN $6::jsonb IS NULL THEN g.external_id ELSE $10 END
      FROM target t
      WHERE g.id = t.id AND ($6::jsonb IS NOT NULL
        OR EXISTS (SELECT FROM added) OR EXISTS (SELECT FROM taken))
      RETURNING g.*),
    ${logged(
      `${groupEvent('group.updated', 'written', '$12', 'WHERE $6::jsonb IS NOT NULL')}
        UNION ALL ${membershipEvents(2, 'group.user_removed', 'taken', 'written')}
        UNION ALL ${membershipEvents(3, 'group.user_added', 'added', 'written')}`,
      'rank, user_id',
    )}
    SELECT ${GROUP_COLUMNS}, ${FOUND_COUNT}, ${eventsOf('$4')}
    FROM (SELECT * FROM written
      UNION ALL SELECT * FROM target WHERE NOT EXISTS (SELECT FROM written)) g`;

/** Exported for the test of its plan alone. */
export const CHANGE_MEMBERS: Statement = {
  name: 'dsync_change_group_members',
  text: changeText(takenByIdCte('target', '$13')),
};

const REPLACE_MEMBERS: Statement = {
  name: 'dsync_replace_group_members',
  text: changeText(takenButCte('target', '$5')),
};

const LOCK_PARENTS: Statement = {
  name: 'dsync_lock_parent_groups',
  text: `SELECT g.id FROM dsync.groups g
    WHERE ${inDirectory('g')} AND g.id IN (
      SELECT m.group_id FROM dsync.group_members m WHERE m.subgroup_id = $2)
    ORDER BY g.id FOR NO KEY UPDATE OF g`,
};

const DELETE: Statement = {
  name: 'dsync_delete_group',
  text: `WITH ${ANNOUNCED},
    target AS MATERIALIZED (
      SELECT g.* FROM announced, dsync.groups g
      WHERE g.id = $3 AND ($5::integer IS NULL OR g.version = $5) AND ${inDirectory('g')}
      FOR UPDATE OF g),
    taken AS (
      DELETE FROM dsync.group_members m USING target t
      WHERE m.group_id = t.id
      RETURNING m.user_id),
    left_parents AS (
      DELETE FROM dsync.group_members m USING target t
      WHERE m.subgroup_id = t.id
      RETURNING m.group_id),
    parents AS (
      UPDATE dsync.groups g SET version = g.version + 1, member_count = g.member_count - 1,
        updated_at = now()
      FROM left_parents p WHERE g.id = p.group_id),
    deleted AS (
      DELETE FROM dsync.groups g USING target t WHERE g.id = t.id
      RETURNING g.id),
    ${logged(
      `${membershipEvents(0, 'group.user_removed', 'taken', 'target')}
        UNION ALL ${groupEvent('group.deleted', 'target', 'NULL')}`,
      'rank, user_id',
    )}
    SELECT ${eventsOf('$4')} FROM target`,
};
