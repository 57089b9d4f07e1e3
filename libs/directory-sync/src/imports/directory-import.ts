/**
 * The import of one directory: one transaction, which is rolled back in a dry run. So a dry run meets
 * what the real one will, and a process that ends anywhere leaves nothing of a directory behind.
 */
import { type Endpoints } from '@gatehouse/delivery';
import { adminEventOf } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { webhookOf } from '../directories/directory-webhook.js';
import { type DirectoryRepository } from '../directories/directory.repository.js';
import { type Usage } from '../quotas/usage.js';
import { type Deleted, type Listing } from './changes.js';
import { conflict, countsOf, type ImportScope, usageOf } from './import-scope.js';
import * as statements from './import.sql.js';
import {
  type DirectoryReport,
  type ImportOptions,
  type ResourceKind,
  type SourceDirectory,
  type SourceGroup,
  type SourceUser,
} from './import.types.js';
import { importMembers, importMissing, type Missing } from './member-import.js';
import { applyAgain, lockMapping } from '../roles/role.repository.js';
import { newReport } from './import-report.js';
import { importBatch, knownAmong } from './resource-import.js';
import { Room } from './room.js';
import { type StorableDirectory } from './source-directory.js';

export const WAITS = 'imported: events wait until the import is activated';

export interface Stored {
  tenant: string;
  product: string;
  revision: number;
  /** The time from which the id of a deleted directory is free. */
  purgedAt: Date | null;
  isImported: boolean;
  isActivated: boolean;
  importedRevision: number | null;
  hash: string | null;
}

/** Data of a directory that was read before the transaction begins. */
export interface ReadDirectory {
  source: SourceDirectory;
  storable: StorableDirectory;
  stored: Stored | undefined;
  users: Listing<SourceUser>;
  groups: Listing<SourceGroup>;
  deleted: Deleted;
}

export interface DirectoryWriting {
  repository: DirectoryRepository;
  quota: Usage;
  call: CallContext;
}

/** Ends the transaction of a dry run. */
export class DryRunEnd extends Error {
  constructor(readonly report: DirectoryReport) {
    super('dry run');
  }
}

export async function writeDirectory(
  sql: SqlExecutor,
  { repository, quota, call }: DirectoryWriting,
  read: ReadDirectory,
  options: ImportOptions,
): Promise<DirectoryReport> {
  const { source, storable, stored } = read;
  const report = newReport(source);
  report.outcome = stored ? 'compared' : 'imported';
  const { id: directoryId } = storable.row;
  for (const statement of statements.BEGIN) await sql.rows(statement);
  if (stored) await changeDirectory(sql, repository.endpoints, read, report);
  else await insertDirectory(sql, repository, read, call);
  const room = await Room.of(sql, directoryId, quota);
  const directoryType = storable.row.type;
  const scope: ImportScope = { sql, directoryId, directoryType, report, room, options };
  if (source.workspace) conflict(scope, 'directory', directoryId, 'workspace_resources');
  else if (stored) await compareResources(scope, read);
  else await writeResources(scope, read);
  await room.save();
  if (stored) await sql.rows(statements.SAVE_TIME, [directoryId]);
  else await sql.rows(statements.SAVE_IMPORT, [directoryId, storable.hash]);
  await repository.keyLinks.wantFeed(sql, directoryId);
  if (options.isDryRun) throw new DryRunEnd(report);
  return report;
}

async function insertDirectory(
  sql: SqlExecutor,
  repository: DirectoryRepository,
  { source, storable }: ReadDirectory,
  call: CallContext,
): Promise<void> {
  const { row, webhook, connection, tokens } = storable;
  const event = adminEventOf({ type: 'directory.imported', targetId: row.id }, call);
  await repository.insertIn(sql, row, webhook, connection, event);
  if (tokens) await repository.connections.setTokens(sql, row.id, tokens);
  if (source.deactivated) await sql.rows(statements.DEACTIVATE, [row.id]);
  else if (webhook.enabled) await repository.endpoints.pause(sql, webhookOf(row.id), WAITS);
  // Resources name their import, so it comes before them; its revision is saved at the end.
  await sql.rows(statements.SAVE_IMPORT, [row.id, storable.hash]);
}

/** Takes over what the source has changed of the directory itself. */
async function changeDirectory(
  sql: SqlExecutor,
  endpoints: Endpoints,
  { source, storable, stored }: ReadDirectory,
  report: DirectoryReport,
): Promise<void> {
  const { row, webhook, hash } = storable;
  await sql.rows(statements.LOCK_DIRECTORY, [row.id]);
  const [now] = await sql.rows<Stored>(statements.FIND_DIRECTORY, [row.id]);
  if (!now || hash === now.hash) return;
  if (now.revision !== stored?.importedRevision) {
    const scope = { report } as ImportScope;
    conflict(scope, 'directory', row.id, 'directory_changed');
    return;
  }
  await sql.rows(statements.CHANGE_DIRECTORY, [row.id, row.name, source.deactivated]);
  await endpoints.update(sql, webhookOf(row.id), webhook);
  if (webhook.enabled) await endpoints.pause(sql, webhookOf(row.id), WAITS);
  await sql.rows(statements.SAVE_IMPORT, [row.id, hash]);
}

/** An administrator may have mapped the groups of an imported directory to roles meanwhile. */
async function compareResources(scope: ImportScope, read: ReadDirectory): Promise<void> {
  const { sql, directoryId, report } = scope;
  const mapping = await lockMapping(sql, directoryId);
  await writeResources(scope, read);
  const counts = [report.users, report.groups, report.members];
  const isChanged = counts.some((each) => each.created + each.updated + each.deleted > 0);
  if (mapping && isChanged) await applyAgain(sql, directoryId);
}

async function writeResources(scope: ImportScope, read: ReadDirectory): Promise<void> {
  const { users, groups, deleted } = read;
  const { signal } = scope.options;
  // First, so that their names are free.
  await deleteResources(scope, 'group', deleted.group);
  await deleteResources(scope, 'user', deleted.user);
  for await (const batch of users.batches) {
    signal?.throwIfAborted();
    await importBatch(scope, 'user', batch);
  }
  const missing: Missing = [];
  for await (const batch of groups.batches) {
    signal?.throwIfAborted();
    const { created, known } = await importBatch(scope, 'group', batch);
    missing.push(...(await importMembers(scope, batch, created, known)));
  }
  await importMissing(scope, missing);
  countsOf(scope, 'user').unchanged += users.unchanged;
  countsOf(scope, 'group').unchanged += groups.unchanged;
  scope.report.members.unchanged += groups.unchangedMembers;
}

async function deleteResources(
  scope: ImportScope,
  kind: ResourceKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const { sql, directoryId } = scope;
  const known = await knownAmong(
    scope,
    kind,
    ids.map((id) => ({ id })),
  );
  const present = [...known.values()].filter(({ current }) => current !== null);
  const statement = kind === 'user' ? statements.DELETE_USERS : statements.DELETE_GROUPS;
  const rows = await sql.rows<{ id: string; bytes: number }>(statement, [
    directoryId,
    present.map(({ id }) => id),
    present.map(({ version }) => version),
  ]);
  const gone = new Set(rows.map(({ id }) => id));
  for (const { bytes } of rows) scope.room.count(usageOf(kind, -1, -bytes));
  for (const { id } of present) if (!gone.has(id)) conflict(scope, kind, id, 'changed_here');
  const forgotten = ids.filter((id) => gone.has(id) || known.get(id)?.current === null);
  await sql.rows(statements.FORGET, [directoryId, kind, forgotten]);
  countsOf(scope, kind).deleted += gone.size;
}
