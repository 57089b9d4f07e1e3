/** User resources: RFC 7644 sections 3.3 to 3.6 on rows. */
import {
  applyPatch,
  deriveUser,
  type JsonObject,
  normaliseResource,
  parsePatchRequest,
  parseSelectionQuery,
  patchOptionsOf,
  preconditionFailed,
  sameJson,
  type ScimResource,
  userResourceType,
  versionTag,
} from '@gatehouse/scim';
import { uuidv7 } from '@gatehouse/service-kit';
import { untilUncontended } from '../database/database.js';
import * as users from '../users/user.repository.js';
import type { UserRow } from '../users/user.types.js';
import { isUuid } from '../uuid.js';
import { checkIndexedTexts } from './indexed-texts.js';
import { pauseBeforeRetry } from './optimistic-retry.js';
import { checkPreconditions, freshAnswer, writtenAnswer } from './preconditions.js';
import { StaleDirectory } from './scim-access.js';
import { noteEvents, scopeOf } from './scim-context.js';
import { resourceNotFound } from './scim-errors.js';
import type { ScimAnswer, ScimCall, ScimContext } from './scim.types.js';

type UserContent = Pick<UserRow, 'id' | 'raw' | 'version' | 'createdAt' | 'updatedAt' | 'groups'>;

export async function createUser(context: ScimContext, call: ScimCall): Promise<ScimAnswer> {
  const selection = parseSelectionQuery(call.query, userResourceType);
  const raw = userResource(call.body);
  const id = uuidv7();
  const written = await users.insertUser(context.database, scopeOf(context), id, raw);
  if (!written) throw new StaleDirectory();
  noteEvents(context, [written.event]);
  const { version, createdAt, updatedAt } = written;
  const document = userDocument(context, { id, raw, version, createdAt, updatedAt, groups: null });
  return writtenAnswer(201, document, selection);
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
  const options = patchOptionsOf(context.directory.type);
  const row = await writeUser(context, call, id, (current) => {
    const { resource, changed } = applyPatch(current, operations, userResourceType, options);
    if (changed) checkIndexedTexts(resource);
    return resource;
  });
  const answer = writtenAnswer(200, userDocument(context, row), selection);
  const isMinimal = call.prefersMinimal === true && !selection.isAsked;
  return isMinimal ? { ...answer, status: 204, data: null } : answer;
}

export async function removeUser(
  context: ScimContext,
  call: ScimCall,
  id: string,
): Promise<ScimAnswer> {
  const { database, directory } = context;
  const events = await untilUncontended(async () => {
    const row = await requireUser(context, id);
    checkPreconditions(call, row.version);
    const version = call.ifMatch === undefined ? null : row.version;
    if (row.groups?.length === 0) {
      return users.deleteUser(database, scopeOf(context), id, version);
    }
    return database.transaction(async (executor) => {
      await users.lockGroupsOfUser(executor, directory.id, id);
      return users.deleteUser(executor, scopeOf(context), id, version);
    });
  });
  if (!events) {
    await requireUser(context, id);
    throw preconditionFailed();
  }
  noteEvents(context, events);
  return { status: 204, headers: {}, data: null };
}

/**
 * A user as SCIM shows it: what the provider made, and what only the server knows. A user whose
 * provider says nothing of `active` is active, here as in filters and events.
 */
export function userDocument(context: ScimContext, row: UserContent): JsonObject {
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
  for (let attempt = 1; ; attempt++) {
    const before = await requireUser(context, id);
    checkPreconditions(call, before.version);
    const raw = change(before.raw);
    if (raw === before.raw || sameJson(raw, before.raw)) return before;
    const previous = previousMembers(before, raw);
    const scope = scopeOf(context);
    const written = await users.updateUser(context.database, scope, before, raw, previous);
    if (written) {
      noteEvents(context, [written.event]);
      return { ...before, ...written, raw };
    }
    await pauseBeforeRetry(attempt);
  }
}

/** The members of an event's data that a change gives other values, with the old ones. */
function previousMembers(before: UserRow, raw: ScimResource): JsonObject {
  const after = deriveUser(raw);
  const previous: JsonObject = {};
  if (before.firstName !== after.firstName) previous.first_name = before.firstName ?? '';
  if (before.lastName !== after.lastName) previous.last_name = before.lastName ?? '';
  if (before.email !== after.email) previous.email = before.email ?? '';
  if (before.active !== after.active) previous.active = before.active;
  previous.raw = { ...before.raw, id: before.id };
  return previous;
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
