/** Groups of a directory. A write stores the group, its members and all events in one statement. */
import { deriveGroup, foldCase, type JsonObject, type ScimResource } from '@gatehouse/scim';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { type PageRequest, pageOfRows, type RecordPage } from '../database/page.js';
import { storedText } from '../database/stored-text.js';
import { type ScopeFilter, scopeValues } from '../directories/directory.sql.js';
import { type EventRow } from '../events/event.types.js';
import * as statements from './group.sql.js';
import {
  type GroupDeletion,
  type GroupRecord,
  type GroupRow,
  type GroupScope,
  type GroupWrite,
  type MemberSet,
} from './group.types.js';

type WriteRow = GroupRow & { found: number; events: EventJson[] | null; isNested?: boolean };
type EventJson = Omit<EventRow, 'createdAt' | 'sequence'> & { createdAt: string; sequence: number };

/**
 * Creates a group with its members and their events.
 *
 * @returns undefined if the directory is gone or has another revision
 */
export async function insertGroup(
  sql: SqlExecutor,
  scope: GroupScope,
  id: string,
  raw: ScimResource,
  memberIds: readonly string[],
): Promise<GroupWrite | undefined> {
  const [row] = await sql.rows<WriteRow>(statements.INSERT_GROUP, [
    scope.directoryId,
    scope.revision,
    id,
    scope.wantsEvents,
    memberIds,
    ...groupColumns(raw, scope),
  ]);
  return row && writeOf(row, memberIds.length);
}

/**
 * Changes members, and attributes if given, in one statement. Writes nothing if nothing changes.
 * With `version`, only that version is changed.
 *
 * @returns undefined if the group is gone or has another version, or the directory another revision
 */
export async function changeGroup(
  sql: SqlExecutor,
  scope: GroupScope,
  id: string,
  version: number | null,
  members: MemberSet,
  attributes?: { raw: ScimResource; previous: JsonObject },
): Promise<GroupWrite | undefined> {
  const statement = members.reset ? statements.REPLACE_MEMBERS : statements.CHANGE_MEMBERS;
  const [row] = await sql.rows<WriteRow>(statement, [
    scope.directoryId,
    scope.revision,
    id,
    scope.wantsEvents,
    members.addIds,
    ...(attributes ? groupColumns(attributes.raw, scope) : [null, null, null, null, null]),
    version,
    attributes ? JSON.stringify(attributes.previous) : null,
    ...(members.reset ? [] : [members.removeIds]),
  ]);
  return row && writeOf(row, members.addIds.length);
}

/**
 * Deletes a group with its members and its memberships in other groups; undefined if it is gone.
 */
export async function deleteGroup(
  sql: SqlExecutor,
  scope: GroupScope,
  id: string,
  version: number | null,
): Promise<GroupDeletion | undefined> {
  const parents = await sql.rows<{ id: string }>(statements.LOCK_PARENT_GROUPS, [
    scope.directoryId,
    id,
  ]);
  const values = [scope.directoryId, scope.revision, id, scope.wantsEvents, version];
  const [row] = await sql.rows<{ events: EventJson[] | null; bytes: number }>(
    statements.DELETE_GROUP,
    values,
  );
  const parentIds = parents.map((parent) => parent.id);
  return row && { events: eventRows(row.events), bytes: row.bytes, parentIds };
}

export async function findGroup(
  sql: SqlExecutor,
  directoryId: string,
  id: string,
): Promise<GroupRow | undefined> {
  const [row] = await sql.rows<GroupRow>(statements.FIND_GROUP, [directoryId, id]);
  return row;
}

/** Locks a group against other writers until the end of the transaction. */
export async function lockGroup(sql: SqlExecutor, directoryId: string, id: string): Promise<void> {
  await sql.rows(statements.LOCK_GROUP, [directoryId, id]);
}

export async function listGroupRecords(
  sql: SqlExecutor,
  scope: ScopeFilter,
  { offset, limit, bytesMax }: PageRequest,
  membersMax: number,
): Promise<RecordPage<GroupRecord>> {
  const rows = await sql.rows<GroupRecord & { found: number }>(statements.LIST_GROUP_RECORDS, [
    ...scopeValues(scope),
    offset,
    limit + 1,
    bytesMax,
    membersMax,
  ]);
  return pageOfRows(rows, limit);
}

export async function findGroupRecord(
  sql: SqlExecutor,
  scope: ScopeFilter,
  id: string,
): Promise<GroupRecord | undefined> {
  const [row] = await sql.rows<GroupRecord>(statements.FIND_GROUP_RECORD, [
    ...scopeValues(scope),
    id,
  ]);
  return row;
}

/** The text of a resource, and the columns `display_name` to `external_id`. */
export function groupColumns(
  raw: ScimResource,
  scope: Pick<GroupScope, 'hasUniqueNames'>,
): unknown[] {
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

function writeOf(
  { found, events, isNested = true, ...group }: WriteRow,
  wantedCount: number,
): GroupWrite {
  return { group, events: eventRows(events), ignored: wantedCount - found, isNested };
}

function eventRows(events: EventJson[] | null): EventRow[] {
  return (events ?? []).map((event) => ({
    ...event,
    sequence: String(event.sequence),
    createdAt: new Date(event.createdAt),
  }));
}
