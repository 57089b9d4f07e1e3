/** Operations on user resources: RFC 7644 sections 3.3 to 3.6. */
import {
  cleanJson,
  isObject,
  type JsonValue,
  normalizeResource,
  parseSelectionQuery,
  requireDefinedNames,
  sameJson,
  ScimError,
  type ScimResource,
  userResourceType,
} from '@gatehouse/scim';
import { isUuid, uuidv7 } from '@gatehouse/kit/ids';
import {
  deleteUser,
  findUser,
  insertUser,
  lockUserWithGroups,
  updateUser,
} from '../../users/user.repository.js';
import { type UserDeletion, type UserRow, type UserWrite } from '../../users/user.types.js';
import { checkIndexedTexts } from '../protocol/indexed-texts.js';
import { patchedResource, patchOperations } from '../protocol/patched-resource.js';
import {
  checkPreconditions,
  conditionalGetResponse,
  NO_CONTENT,
  writeResponse,
} from '../protocol/responses.js';
import { resourceNotFound } from '../protocol/scim-errors.js';
import { type ScimRequest, type ScimResponse, type ScimScope } from '../protocol/scim.types.js';
import { StaleCacheError } from '../protocol/stale-cache.error.js';
import { spendOn } from '../protocol/stored-work.js';
import { type WriteLog } from '../protocol/write-log.js';
import { writeScopeOf } from '../protocol/write-scope.js';
import { pauseBeforeRetry } from '../writes/pause.js';
import { write } from '../writes/write.js';
import { userDocument } from './user.document.js';

export async function createUser(
  scope: ScimScope,
  request: ScimRequest,
  log: WriteLog,
): Promise<ScimResponse> {
  const selection = parseSelectionQuery(request.query, userResourceType);
  const raw = userResource(scope, request.body);
  const id = uuidv7();
  const written = await write(scope, {
    statement: (sql, roles) =>
      insertUser(sql, writeScopeOf(scope), id, raw, { sentGroups: sentGroups(request), roles }),
    quota: {
      creates: 'users',
      bodyBytes: request.bodyBytes ?? 0,
      bytesOf: ({ user }) => user.bytes,
    },
    roles: { of: 'newUser', id },
  });
  if (!written) throw new StaleCacheError();
  return writeResponse(201, userDocument(scope.call.baseUrl, log.addUser(written)), selection);
}

export async function readUser(
  scope: ScimScope,
  request: ScimRequest,
  id: string,
): Promise<ScimResponse> {
  const selection = parseSelectionQuery(request.query, userResourceType);
  const row = await requireUser(scope, id);
  return conditionalGetResponse(request, userDocument(scope.call.baseUrl, row), selection);
}

export async function replaceUser(
  scope: ScimScope,
  request: ScimRequest,
  id: string,
  log: WriteLog,
): Promise<ScimResponse> {
  const selection = parseSelectionQuery(request.query, userResourceType);
  const raw = userResource(scope, request.body);
  const row = await writeUser(scope, request, id, log, () => raw);
  return writeResponse(200, userDocument(scope.call.baseUrl, row), selection);
}

export async function patchUser(
  scope: ScimScope,
  request: ScimRequest,
  id: string,
  log: WriteLog,
): Promise<ScimResponse> {
  const selection = parseSelectionQuery(request.query, userResourceType);
  const operations = patchOperations(scope, request.body, userResourceType);
  const row = await writeUser(scope, request, id, log, (current) =>
    patchedResource(scope, id, current, operations, userResourceType),
  );
  const response = writeResponse(200, userDocument(scope.call.baseUrl, row), selection);
  const isMinimal = request.prefersMinimal === true && !selection.isAsked;
  return isMinimal ? { ...response, status: 204, data: null } : response;
}

export async function removeUser(
  scope: ScimScope,
  request: ScimRequest,
  id: string,
  log: WriteLog,
): Promise<ScimResponse> {
  for (let attempt = 1; ; attempt++) {
    const row = await requireUser(scope, id, attempt);
    checkPreconditions(request, row.version);
    const version = request.ifMatch === undefined ? null : row.version;
    const deletion = await deleteOnce(scope, row, version);
    if (deletion) {
      log.add(deletion.events);
      return NO_CONTENT;
    }
    await pauseBeforeRetry(attempt);
  }
}

/** @returns undefined if the user has another version or other groups than `row`, or is gone */
function deleteOnce(
  scope: ScimScope,
  { id, groups }: UserRow,
  version: number | null,
): Promise<UserDeletion | undefined> {
  const { directory } = scope;
  const hasGroups = groups?.length !== 0;
  return write(scope, {
    statement: async (sql) => {
      const leftGroups = hasGroups ? await lockUserWithGroups(sql, directory.id, id) : [];
      const deletion = await deleteUser(sql, writeScopeOf(scope), id, version, leftGroups);
      return deletion && { ...deletion, leftGroups };
    },
    isWhole: hasGroups,
    quota: { removes: 'users', bytesOf: ({ bytes }) => bytes },
    roles: { of: 'deletedUser', id },
    removal: { kind: 'user', id, operation: 'delete' },
    removed: ({ leftGroups }) => ({ isDeleted: true, leftGroups }),
  });
}

/**
 * Reads, changes and writes a user until no other write came between. Equal values write nothing.
 */
async function writeUser(
  scope: ScimScope,
  request: ScimRequest,
  id: string,
  log: WriteLog,
  change: (current: ScimResource) => ScimResource,
): Promise<UserRow> {
  const { cachedUser } = scope.call;
  if (cachedUser) return writeCachedUser(scope, request, cachedUser, log, change);
  for (let attempt = 1; ; attempt++) {
    const before = await requireUser(scope, id, attempt);
    checkPreconditions(request, before.version);
    const raw = keepActive(before.raw, change(before.raw));
    if (raw === before.raw || sameJson(raw, before.raw)) return before;
    const written = await updateOnce(scope, request, before, raw);
    if (written) return log.addUser(written);
    await pauseBeforeRetry(attempt);
  }
}

/**
 * Writes a change that is based on the cached user, which is correct if the write finds that
 * version.
 *
 * @throws StaleCacheError for any other outcome, which must be based on the stored user
 */
async function writeCachedUser(
  scope: ScimScope,
  request: ScimRequest,
  before: UserRow,
  log: WriteLog,
  change: (current: ScimResource) => ScimResource,
): Promise<UserRow> {
  const raw = changedOrStale(request, before, change);
  const written = await updateOnce(scope, request, before, raw);
  if (!written) throw new StaleCacheError();
  return log.addUser(written);
}

/** @returns undefined if the user has another version than `before`, or is gone */
function updateOnce(
  scope: ScimScope,
  request: ScimRequest,
  before: UserRow,
  raw: ScimResource,
): Promise<UserWrite | undefined> {
  const { id } = before;
  const isRemoval = scope.directory.guard !== null && before.active && raw.active === false;
  return write(scope, {
    statement: (sql, roles) =>
      updateUser(sql, writeScopeOf(scope), before, raw, { sentGroups: sentGroups(request), roles }),
    quota: { grows: ({ user }) => user.bytes - before.bytes },
    roles: { of: 'user', id },
    removal: isRemoval ? { kind: 'user', id, operation: 'deactivate' } : undefined,
    removed: isRemoval ? () => ({}) : undefined,
  });
}

function changedOrStale(
  request: ScimRequest,
  before: UserRow,
  change: (current: ScimResource) => ScimResource,
): ScimResource {
  try {
    checkPreconditions(request, before.version);
    const raw = keepActive(before.raw, change(before.raw));
    if (raw !== before.raw && !sameJson(raw, before.raw)) return raw;
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
  }
  throw new StaleCacheError();
}

/**
 * A change that says nothing about `active`, or removes it, leaves it as it was. Otherwise a
 * provider that stops sending the attribute would activate the users that it had suspended.
 */
function keepActive(before: ScimResource, after: ScimResource): ScimResource {
  const isSilent = after.active === undefined && before.active !== undefined;
  return isSilent ? { ...after, active: before.active } : after;
}

async function requireUser(scope: ScimScope, id: string, attempt = 1): Promise<UserRow> {
  const { prefetchedUser } = scope.call;
  // Use the prefetched row only once; a retry must read the current row.
  if (attempt === 1 && prefetchedUser?.id === id) return prefetchedUser;
  const row = isUuid(id) ? await findUser(scope.engine.sql, scope.directory.id, id) : undefined;
  if (!row) throw resourceNotFound(id);
  return spendOn(scope, row);
}

/** The groups in the body of a POST or PUT. They change no membership; events show them. */
function sentGroups({ body }: ScimRequest): JsonValue | undefined {
  const groups = isObject(body) ? body.groups : undefined;
  return Array.isArray(groups) && groups.length > 0 ? cleanJson(groups, 'groups') : undefined;
}

function userResource({ directory }: ScimScope, body: unknown): ScimResource {
  if (directory.strict) requireDefinedNames(body, userResourceType);
  const raw = normalizeResource(body, userResourceType);
  checkIndexedTexts(raw);
  return raw;
}
