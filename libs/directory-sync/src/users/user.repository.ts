import {
  deriveUser,
  foldCase,
  foldUserName,
  type JsonObject,
  type JsonValue,
  type ScimResource,
  type UserFields,
} from '@gatehouse/scim';
import { uuidv7 } from '@gatehouse/service-kit';
import { type Executor, type Statement } from '../database/database.js';
import { storedText } from '../database/stored-text.js';
import { inDirectory } from '../directories/scope.js';
import { ANNOUNCED, announcement, EVENT_STATE, LIVE_DIRECTORY } from '../events/event.sql.js';
import type { EventRow, EventType } from '../events/event.types.js';
import { previousEventData, type ShownUser, userEventData } from '../events/user-event.js';
import type { UserRow } from './user.types.js';

/** Where a write belongs, and what the caller wants to know of it. */
export interface UserScope {
  directoryId: string;
  /** Only a directory of this revision is written to; null means any. */
  revision: number | null;
  /** Without it the events are written and not given back. */
  wantsEvents: boolean;
}

/** A user as it is after a write. */
export interface UserWrite {
  user: UserRow;
  /** `raw`, in the bytes that were written. */
  rawText: string;
  events: EventRow[];
}

type WriteRow = Pick<EventRow, 'sequence' | 'createdAt'> & Pick<UserRow, 'groups'>;

/**
 * Creates a user and its event. A taken userName breaks the constraint `users_user_name`.
 * Returns undefined when the directory is gone or has another revision.
 */
export async function insertUser(
  executor: Executor,
  scope: UserScope,
  id: string,
  raw: ScimResource,
): Promise<UserWrite | undefined> {
  const fields = deriveUser(raw);
  const rawText = storedText(raw);
  const event = eventOf('user.created', userEventData({ id, ...fields }, raw));
  const [row] = await executor.run<WriteRow>(INSERT, [
    scope.directoryId,
    scope.revision,
    id,
    rawText,
    ...columnsOf(fields, raw),
    event.id,
    event.dataText,
  ]);
  if (!row) return undefined;
  const { createdAt } = row;
  const user = { id, version: 1, raw, ...shownOf(fields), createdAt, updatedAt: createdAt };
  return { user: { ...user, groups: [] }, rawText, events: eventsOf(scope, event, row) };
}

/**
 * Writes a changed user over the version that it was made from, with its event.
 * Returns undefined when that version, or the revision of the directory, is no longer the stored one.
 */
export async function updateUser(
  executor: Executor,
  scope: UserScope,
  before: UserRow,
  raw: ScimResource,
): Promise<UserWrite | undefined> {
  const { id } = before;
  const fields = deriveUser(raw);
  const rawText = storedText(raw);
  const event = eventOf(
    'user.updated',
    userEventData({ id, ...fields }, raw),
    previousEventData(before, before.raw, { id, ...fields }),
  );
  const statement = before.groups?.length === 0 ? UPDATE_WITHOUT_GROUPS : UPDATE;
  const [row] = await executor.run<WriteRow>(statement, [
    scope.directoryId,
    scope.revision,
    id,
    rawText,
    ...columnsOf(fields, raw),
    event.id,
    event.dataText,
    event.previousText,
    before.version,
    before.updatedAt.toISOString(),
  ]);
  if (!row) return undefined;
  const { createdAt } = before;
  const { createdAt: updatedAt } = row;
  const groups = row.groups ?? (await findGroupsOf(executor, id));
  const user = { id, version: before.version + 1, raw, ...shownOf(fields), createdAt, updatedAt };
  return { user: { ...user, groups }, rawText, events: eventsOf(scope, event, row) };
}

export async function findUser(
  executor: Executor,
  directoryId: string,
  id: string,
): Promise<UserRow | undefined> {
  const [row] = await executor.run<UserRow>(FIND, [directoryId, id]);
  return row;
}

async function findGroupsOf(executor: Executor, id: string): Promise<UserRow['groups']> {
  const [row] = await executor.run<Pick<UserRow, 'groups'>>(GROUPS, [id]);
  return row?.groups ?? [];
}

/** The columns of a user, `u`, that its resource is made of. */
export const RESOURCE_COLUMNS = `u.id, u.version, u.raw, u.created_at AS "createdAt",
  u.updated_at AS "updatedAt"`;

/** The columns of a user, `u`, that a change of it starts from. */
export const USER_COLUMNS = `${RESOURCE_COLUMNS}, u.first_name AS "firstName",
  u.last_name AS "lastName", u.email, u.active`;

const groupsOf = (userId: string) => `(SELECT coalesce(
    json_agg(json_build_object('value', g.id, 'display', g.display_name) ORDER BY g.id), '[]')
  FROM dsync.group_members m
  JOIN dsync.groups g ON g.id = m.group_id
  WHERE m.user_id = ${userId})`;

/** The groups of a user, `u`, as one JSON value. */
export const GROUPS_OF_USER = groupsOf('u.id');

function columnsOf(fields: UserFields, raw: ScimResource): unknown[] {
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

/** What filters compare: an empty text is a value, too. */
function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** An event that is about to be written: its members as texts. */
interface NewEvent {
  id: string;
  type: EventType;
  dataText: string;
  previousText: string | null;
}

function eventOf(type: EventType, data: JsonObject, previous?: JsonObject): NewEvent {
  const previousText = previous === undefined ? null : JSON.stringify(previous);
  return { id: uuidv7(), type, dataText: JSON.stringify(data), previousText };
}

/** The event as it was written; it shares nothing with the resource that it is about. */
function eventsOf(
  { wantsEvents }: UserScope,
  { id, type, dataText, previousText }: NewEvent,
  { sequence, createdAt }: WriteRow,
): EventRow[] {
  if (!wantsEvents) return [];
  const data = JSON.parse(dataText) as JsonObject;
  const previous = previousText === null ? null : (JSON.parse(previousText) as JsonObject);
  return [{ id, sequence, type, data, previous, createdAt }];
}

const FIND: Statement = {
  name: 'dsync_find_user',
  text: `SELECT ${USER_COLUMNS}, ${GROUPS_OF_USER} AS groups
    FROM dsync.users u WHERE u.id = $2 AND ${inDirectory('u')}`,
};

// The row and its event are written at one now(): the time of one is that of the other.
const INSERT: Statement = {
  name: 'dsync_insert_user',
  text: `WITH ${ANNOUNCED},
    written AS (
      INSERT INTO dsync.users (directory_id, id, raw, user_name, user_name_lower, external_id,
        display_name, display_name_lower, emails_lower, first_name, last_name, email, active)
      SELECT $1, $3::uuid, $4::jsonb, $5, $6, $7, $8, $9, $10::text[], $11, $12, $13, $14::boolean
      FROM announced
      RETURNING id)
    INSERT INTO dsync.events (directory_id, id, type, data, state)
    SELECT $1, $15, 'user.created', $16, announced.state FROM written, announced
    RETURNING sequence, created_at AS "createdAt"`,
};

const updateText = (groups: string) =>
  `WITH written AS (
      UPDATE dsync.users u SET version = u.version + 1, raw = $4::jsonb, user_name = $5,
        user_name_lower = $6, external_id = $7, display_name = $8, display_name_lower = $9,
        emails_lower = $10::text[], first_name = $11, last_name = $12, email = $13,
        active = $14::boolean, updated_at = now()
      FROM dsync.directories d
      WHERE ${LIVE_DIRECTORY}
        AND u.id = $3 AND u.version = $18 AND u.updated_at = $19 AND ${inDirectory('u')}
      RETURNING ${announcement('d.id')} AS announced, ${EVENT_STATE})
    INSERT INTO dsync.events (directory_id, id, type, data, previous, state)
    SELECT $1, $15, 'user.updated', $16, $17, written.state FROM written
    RETURNING sequence, created_at AS "createdAt", ${groups} AS groups`;

const UPDATE: Statement = { name: 'dsync_update_user', text: updateText(groupsOf('$3')) };

// For a user that had no groups: to find none is less work than to make an empty list.
const UPDATE_WITHOUT_GROUPS: Statement = {
  name: 'dsync_update_user_without_groups',
  text: updateText(`CASE WHEN NOT EXISTS (
      SELECT FROM dsync.group_members m WHERE m.user_id = $3) THEN '[]'::json END`),
};

const GROUPS: Statement = {
  name: 'dsync_groups_of_user',
  text: `SELECT ${groupsOf('$1')} AS groups`,
};
