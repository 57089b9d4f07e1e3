/**
 * Users of a directory. A write stores the row and its event in one statement, which is also the
 * commit. Statements that lock both lock groups before users.
 */
import { type DirectoryEventType } from '@gatehouse/schemas';
import {
  deriveUser,
  foldCase,
  foldUserName,
  type JsonObject,
  type JsonValue,
  type ScimResource,
  type UserFields,
} from '@gatehouse/scim';
import { uuidv7 } from '@gatehouse/kit/ids';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { type PageRequest, pageOfRows, type RecordPage } from '../database/page.js';
import { storedText } from '../database/stored-text.js';
import { type ScopeFilter, scopeValues } from '../directories/directory.sql.js';
import {
  type AccessRow,
  type DirectoryAccess,
  type WriteScope,
} from '../directories/directory.types.js';
import { accessOf } from '../directories/scim-credential.js';
import { type EventRow } from '../events/event.types.js';
import { previousEventData, type ShownUser, userEventData } from '../events/user-event.js';
import * as statements from './user.sql.js';
import { type UserDeletion, type UserRecord, type UserRow, type UserWrite } from './user.types.js';

/** Parts of a user event beside the user. */
export interface EventParts {
  /** The groups that the provider has sent, which are not stored. */
  sentGroups?: JsonValue;
  /** By the role mapping of the directory; undefined if it has none. */
  roles?: readonly string[];
}

type WriteRow = Pick<EventRow, 'sequence' | 'createdAt'> & Pick<UserRow, 'groups' | 'bytes'>;

/**
 * Creates a user and its event. A duplicate userName violates the constraint `users_user_name`.
 *
 * @returns undefined if the directory is gone or has another revision
 */
export async function insertUser(
  sql: SqlExecutor,
  scope: WriteScope,
  id: string,
  raw: ScimResource,
  { sentGroups, roles }: EventParts = {},
): Promise<UserWrite | undefined> {
  const fields = deriveUser(raw);
  const rawText = storedText(raw);
  const event = eventOf('user.created', userEventData({ id, ...fields, roles }, raw, sentGroups));
  const [row] = await sql.rows<WriteRow>(statements.INSERT_USER, [
    scope.directoryId,
    scope.revision,
    id,
    rawText,
    ...userColumns(fields, raw),
    event.id,
    event.dataText,
  ]);
  if (!row) return undefined;
  const { createdAt, bytes } = row;
  const user = { id, version: 1, raw, bytes, ...shownOf(fields), createdAt, updatedAt: createdAt };
  return { user: { ...user, groups: [] }, rawText, events: eventsOf(scope, event, row) };
}

/**
 * Replaces the version of a user that the change is based on, and writes the event.
 *
 * @returns undefined if the user or the directory has changed since
 */
export async function updateUser(
  sql: SqlExecutor,
  scope: WriteScope,
  before: UserRow,
  raw: ScimResource,
  { sentGroups, roles }: EventParts = {},
): Promise<UserWrite | undefined> {
  const { id } = before;
  const fields = deriveUser(raw);
  const rawText = storedText(raw);
  const event = eventOf(
    'user.updated',
    userEventData({ id, ...fields, roles }, raw, sentGroups),
    previousEventData(before, before.raw, { id, ...fields }),
  );
  const statement =
    before.groups?.length === 0 ? statements.UPDATE_USER_WITHOUT_GROUPS : statements.UPDATE_USER;
  const [row] = await sql.rows<WriteRow>(statement, [
    scope.directoryId,
    scope.revision,
    id,
    rawText,
    ...userColumns(fields, raw),
    event.id,
    event.dataText,
    event.previousText,
    before.version,
    before.updatedAt.toISOString(),
  ]);
  if (!row) return undefined;
  const { createdAt } = before;
  const { createdAt: updatedAt, bytes } = row;
  const groups = row.groups ?? (await findGroupsOf(sql, scope.directoryId, id));
  const version = before.version + 1;
  const user = { id, version, raw, bytes, ...shownOf(fields), createdAt, updatedAt };
  return { user: { ...user, groups }, rawText, events: eventsOf(scope, event, row) };
}

export async function findUser(
  sql: SqlExecutor,
  directoryId: string,
  id: string,
): Promise<UserRow | undefined> {
  const [row] = await sql.rows<UserRow>(statements.FIND_USER, [directoryId, id]);
  return row;
}

/** Reads a directory and one of its users in one round trip; `user` is undefined if unknown. */
export async function findDirectoryAndUser(
  sql: SqlExecutor,
  directoryId: string,
  id: string,
): Promise<{ directory: DirectoryAccess; user: UserRow | undefined } | undefined> {
  const [row] = await sql.rows<BothRow>(statements.ACCESS_WITH_USER, [directoryId, id]);
  if (!row) return undefined;
  const { directoryId: ownId, id: userId, ...rest } = row;
  const {
    version,
    raw,
    firstName,
    lastName,
    email,
    active,
    bytes,
    createdAt,
    updatedAt,
    groups,
    ...access
  } = rest;
  const shown = { firstName, lastName, email, active };
  const user = { version, raw, bytes, ...shown, createdAt, updatedAt, groups };
  return {
    directory: accessOf({ id: ownId, ...access }),
    user: userId === null ? undefined : { id: userId, ...user },
  };
}

/**
 * Deletes a user and its memberships, whose events come first. Does nothing if the user is a member
 * of a group that is not in `groupIds`, the groups the caller has locked, or if it does not have
 * the given version.
 *
 * @returns undefined if nothing was deleted
 */
export async function deleteUser(
  sql: SqlExecutor,
  scope: WriteScope,
  id: string,
  version: number | null,
  groupIds: readonly string[],
): Promise<UserDeletion | undefined> {
  const values = [scope.directoryId, scope.revision, id, version, groupIds];
  const rows = await sql.rows<EventRow & { bytes: number }>(statements.DELETE_USER, values);
  const [first] = rows;
  return first && { events: rows.map(({ bytes: _, ...event }) => event), bytes: first.bytes };
}

/**
 * Locks the groups of a user in a fixed order, then the user, which cannot be added to groups
 * after.
 *
 * @returns the ids of the locked groups; the user may have been added to others before it was
 *   locked
 */
export async function lockUserWithGroups(
  sql: SqlExecutor,
  directoryId: string,
  id: string,
): Promise<string[]> {
  const groups = await sql.rows<{ id: string }>(statements.LOCK_GROUPS_OF_USER, [directoryId, id]);
  await sql.rows(statements.LOCK_USER, [directoryId, id]);
  return groups.map((group) => group.id);
}

/** A value that users must have to be listed. */
export interface UserLookup {
  by: keyof typeof statements.LIST_USER_RECORDS_BY;
  value: string;
}

export async function listUserRecords(
  sql: SqlExecutor,
  scope: ScopeFilter,
  { offset, limit, bytesMax }: PageRequest,
  lookup?: UserLookup,
): Promise<RecordPage<UserRecord>> {
  const values = [...scopeValues(scope), offset, limit + 1, bytesMax];
  type Row = UserRecord & { found: number };
  const rows = lookup
    ? await sql.rows<Row>(statements.LIST_USER_RECORDS_BY[lookup.by], [...values, folded(lookup)])
    : await sql.rows<Row>(statements.LIST_USER_RECORDS, values);
  return pageOfRows(rows, limit);
}

/** As the columns of the look-up are stored. */
function folded({ by, value }: UserLookup): string {
  if (by === 'userName') return foldUserName(value);
  return by === 'email' ? foldCase(value) : value;
}

export async function findUserRecord(
  sql: SqlExecutor,
  scope: ScopeFilter,
  id: string,
): Promise<UserRecord | undefined> {
  const [row] = await sql.rows<UserRecord>(statements.FIND_USER_RECORD, [
    ...scopeValues(scope),
    id,
  ]);
  return row;
}

/** One row for both: `id` is the user's, null if there is no such user. */
type BothRow = Omit<AccessRow, 'id'> &
  Omit<UserRow, 'id'> & { directoryId: string; id: string | null };

async function findGroupsOf(
  sql: SqlExecutor,
  directoryId: string,
  id: string,
): Promise<UserRow['groups']> {
  const [row] = await sql.rows<Pick<UserRow, 'groups'>>(statements.FIND_GROUPS_OF_USER, [
    directoryId,
    id,
  ]);
  return row?.groups ?? [];
}

/** The values of the columns that are derived from a resource, `user_name` to `active`. */
export function userColumns(fields: UserFields, raw: ScimResource): unknown[] {
  const displayName = textOf(raw.displayName);
  return [
    fields.userName,
    foldUserName(fields.userName),
    textOf(raw.externalId),
    displayName,
    displayName === null ? null : foldCase(displayName),
    fields.emails.map(foldCase),
    fields.firstName,
    fields.lastName,
    fields.email,
    fields.active,
  ];
}

function shownOf({ firstName, lastName, email, active }: UserFields): Omit<ShownUser, 'id'> {
  return { firstName, lastName, email, active };
}

/** The value for filters, in which an empty text is a value too. */
function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** An event to be written, with JSON members as texts. */
interface NewEvent {
  id: string;
  type: DirectoryEventType;
  dataText: string;
  previousText: string | null;
}

function eventOf(type: DirectoryEventType, data: JsonObject, previous?: JsonObject): NewEvent {
  const previousText = previous === undefined ? null : JSON.stringify(previous);
  return { id: uuidv7(), type, dataText: JSON.stringify(data), previousText };
}

/** The written event, parsed from its text so that it shares no objects with the resource. */
function eventsOf(
  { wantsEvents }: WriteScope,
  { id, type, dataText, previousText }: NewEvent,
  { sequence, createdAt }: WriteRow,
): EventRow[] {
  if (!wantsEvents) return [];
  const data = JSON.parse(dataText) as JsonObject;
  const previous = previousText === null ? null : (JSON.parse(previousText) as JsonObject);
  return [{ id, sequence, type, data, previous, createdAt }];
}
