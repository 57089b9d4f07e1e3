/** User resources: RFC 7644 sections 3.3 to 3.6 on rows. */
import {
  type JsonObject,
  normaliseResource,
  parsePatchRequest,
  parseSelectionQuery,
  sameJson,
  ScimError,
  type ScimResource,
  userResourceType,
  versionTag,
} from '@gatehouse/scim';
import { uuidv7 } from '@gatehouse/service-kit';
import { untilUncontended } from '../../database/database.js';
import type { EventRow } from '../../events/event.types.js';
import { deleteUser, lockWithGroups } from '../../users/user-deletion.repository.js';
import * as users from '../../users/user.repository.js';
import type { UserResourceRow, UserRow } from '../../users/user.types.js';
import { isUuid } from '../../database/uuid.js';
import { checkIndexedTexts } from '../protocol/indexed-texts.js';
import { pauseBeforeRetry } from '../protocol/optimistic-retry.js';
import { patchedResource } from '../protocol/patched-resource.js';
import { checkPreconditions, freshAnswer, writtenAnswer } from '../protocol/preconditions.js';
import { StaleMemory } from '../requests/directory-cache.js';
import { noteEvents, scopeOf } from '../protocol/scim-context.js';
import { resourceNotFound } from '../protocol/scim-errors.js';
import type { ScimAnswer, ScimCall, ScimContext } from '../protocol/scim.types.js';

export async function createUser(context: ScimContext, call: ScimCall): Promise<ScimAnswer> {
  const selection = parseSelectionQuery(call.query, userResourceType);
  const raw = userResource(call.body);
  const id = uuidv7();
  const written = await users.insertUser(context.database, scopeOf(context), id, raw);
  if (!written) throw new StaleMemory();
  noteWrite(context, written);
  return writtenAnswer(201, userDocument(context, written.user), selection);
}

export async function readUser(
  context: ScimContext,
  call: ScimCall,
  id: string,
): Promise<ScimAnswer> {
  const selection = parseSelectionQuery(call.query, userResourceType);
  const row = await requireUser(context, id);
  return freshAnswer(call, userDocument(context, row), selection);
}

export async function replaceUser(
  context: ScimContext,
  call: ScimCall,
  id: string,
): Promise<ScimAnswer> {
  const selection = parseSelectionQuery(call.query, userResourceType);
  const raw = userResource(call.body);
  const row = await writeUser(context, call, id, () => raw);
  return writtenAnswer(200, userDocument(context, row), selection);
}

export async function patchUser(
  context: ScimContext,
  call: ScimCall,
  id: string,
): Promise<ScimAnswer> {
  const selection = parseSelectionQuery(call.query, userResourceType);
  const operations = parsePatchRequest(call.body);
  const row = await writeUser(context, call, id, (current) =>
    patchedResource(context, id, current, operations, userResourceType),
  );
  const answer = writtenAnswer(200, userDocument(context, row), selection);
  const isMinimal = call.prefersMinimal === true && !selection.isAsked;
  return isMinimal ? { ...answer, status: 204, data: null } : answer;
}

export async function removeUser(
  context: ScimContext,
  call: ScimCall,
  id: string,
): Promise<ScimAnswer> {
  for (let attempt = 1; ; attempt++) {
    const row = await requireUser(context, id);
    checkPreconditions(call, row.version);
    const version = call.ifMatch === undefined ? null : row.version;
    const events = await untilUncontended(() => deleteOnce(context, row, version));
    if (events) {
      noteEvents(context, events);
      return { status: 204, headers: {}, data: null };
    }
    await pauseBeforeRetry(attempt);
  }
}

/** Undefined when the user has another version or another group than `row` has, or is gone. */
function deleteOnce(
  context: ScimContext,
  { id, groups }: UserRow,
  version: number | null,
): Promise<EventRow[] | undefined> {
  const { database, directory } = context;
  const scope = scopeOf(context);
  if (groups?.length === 0) return deleteUser(database, scope, id, version, []);
  return database.transaction(async (executor) => {
    const groupIds = await lockWithGroups(executor, directory.id, id);
    return deleteUser(executor, scope, id, version, groupIds);
  });
}

/**
 * A user as SCIM shows it: what the provider made, and what only the server knows. A user whose
 * provider says nothing of `active` is active, here as in filters and events.
 */
export function userDocument(context: ScimContext, row: UserResourceRow): JsonObject {
  const { schemas, ...attributes } = row.raw;
  const groups = row.groups ?? [];
  return {
    schemas,
    id: row.id,
    active: true,
    ...attributes,
    ...(groups.length === 0
      ? {}
      : {
          groups: groups.map(({ value, display }) => ({
            value,
            $ref: `${context.baseUrl}/Groups/${value}`,
            display,
            type: 'direct',
          })),
        }),
    meta: {
      resourceType: 'User',
      created: row.createdAt.toISOString(),
      lastModified: row.updatedAt.toISOString(),
      location: `${context.baseUrl}/Users/${row.id}`,
      version: versionTag(row.version),
    },
  };
}

/** Reads, changes and writes until no other write came between; a change of nothing writes nothing. */
async function writeUser(
  context: ScimContext,
  call: ScimCall,
  id: string,
  change: (current: ScimResource) => ScimResource,
): Promise<UserRow> {
  if (context.userRemembered) return writeRemembered(context, call, context.userRemembered, change);
  for (let attempt = 1; ; attempt++) {
    const before = await requireUser(context, id);
    checkPreconditions(call, before.version);
    const raw = change(before.raw);
    if (raw === before.raw || sameJson(raw, before.raw)) return before;
    const written = await users.updateUser(context.database, scopeOf(context), before, raw);
    if (written) return noteWrite(context, written);
    await pauseBeforeRetry(attempt);
  }
}

/**
 * As `writeUser`, from what is remembered of the user: right where the write finds that version.
 * @throws StaleMemory for everything else, which only the stored user can decide
 */
async function writeRemembered(
  context: ScimContext,
  call: ScimCall,
  before: UserRow,
  change: (current: ScimResource) => ScimResource,
): Promise<UserRow> {
  const raw = changeOrStale(call, before, change);
  const written = await users.updateUser(context.database, scopeOf(context), before, raw);
  if (!written) throw new StaleMemory();
  return noteWrite(context, written);
}

function changeOrStale(
  call: ScimCall,
  before: UserRow,
  change: (current: ScimResource) => ScimResource,
): ScimResource {
  try {
    checkPreconditions(call, before.version);
    const raw = change(before.raw);
    if (raw !== before.raw && !sameJson(raw, before.raw)) return raw;
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
  }
  throw new StaleMemory();
}

function noteWrite(context: ScimContext, { user, rawText, events }: users.UserWrite): UserRow {
  context.remembered.rememberUser(context.directory.id, user, rawText);
  noteEvents(context, events);
  return user;
}

async function requireUser(context: ScimContext, id: string): Promise<UserRow> {
  const ahead = context.userAhead;
  // Only once: whoever asks again wants to know what has changed.
  context.userAhead = undefined;
  if (ahead?.id === id) return ahead;
  const { database, directory } = context;
  const row = isUuid(id) ? await users.findUser(database, directory.id, id) : undefined;
  if (!row) throw resourceNotFound(id);
  return row;
}

function userResource(body: unknown): ScimResource {
  const raw = normaliseResource(body, userResourceType);
  checkIndexedTexts(raw);
  return raw;
}
