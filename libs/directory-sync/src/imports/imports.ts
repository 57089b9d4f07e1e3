import { type KeyRing } from '@gatehouse/crypto';
import { adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { isUuid } from '@gatehouse/kit/ids';
import { type OutboundPolicy } from '@gatehouse/kit/outbound';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { LIBRARY_CALL } from '../audit/audit-table.js';
import { webhookOf } from '../directories/directory-webhook.js';
import { type DirectoryRepository } from '../directories/directory.repository.js';
import { type DirectorySecrets } from '../directories/directory-secrets.js';
import { type Usage } from '../quotas/usage.js';
import { changesOf, deletedOf, everything, idsNotIn } from './changes.js';
import {
  DryRunEnd,
  type ReadDirectory,
  type Stored,
  WAITS,
  writeDirectory,
} from './directory-import.js';
import { addConflict, newReport } from './import-report.js';
import * as statements from './import.sql.js';
import {
  type ConflictReason,
  type DirectoryContent,
  type DirectoryReport,
  type DiscardedImport,
  type ImportedDirectory,
  type ImportOptions,
  type ResourceKind,
  type SourceDirectory,
} from './import.types.js';
import { type StorableDirectory, storableDirectory } from './source-directory.js';

export interface ImportsContext {
  sql: Sql;
  repository: DirectoryRepository;
  secrets: DirectorySecrets;
  ring: KeyRing;
  policy: OutboundPolicy;
  quota: Usage;
  audit: AuditEvents;
}

const PURGE_BUDGET_MS = 10_000;

/** Ends the transaction of a deletion. */
class Activated extends Error {}

/**
 * Imports directories of another product, with their ids and secrets. An import logs no events, because the source
 * has sent them, and its webhooks are paused until `activate`.
 */
export class Imports {
  constructor(private readonly context: ImportsContext) {}

  /**
   * Imports a directory, or compares one that was imported before with the source. Conflicts are part of
   * the report.
   *
   * @throws what the source throws, and the abort reason of the signal; then nothing was written
   */
  async importDirectory(
    source: SourceDirectory,
    content: DirectoryContent,
    options: ImportOptions,
    call: CallContext = LIBRARY_CALL,
  ): Promise<DirectoryReport> {
    const { secrets, ring, policy, repository, quota, sql } = this.context;
    const storable = storableDirectory(source, secrets, ring, policy);
    if (typeof storable === 'string') return skipped(source, 'directory_invalid', storable);
    let stored = await this.find(storable.row.id);
    if (stored?.purgedAt && !options.isDryRun) {
      await this.purge(storable.row.id, options.signal);
      stored = await this.find(storable.row.id);
    }
    const refusal = refusalOf(source, stored);
    if (refusal) return skipped(source, refusal, detailOf(stored));
    if (!stored && options.isDelta) return newReport(source);
    const writing = { repository, quota, call };
    // A directory that is new is read while it is written, so another try reads it again.
    let isFirst = true;
    let read = await this.read(source, storable, stored, content, options);
    try {
      return await sql.transaction(async (transaction) => {
        if (!isFirst) read = await this.read(source, storable, stored, content, options);
        isFirst = false;
        return writeDirectory(transaction, writing, read, options);
      });
    } catch (error) {
      if (error instanceof DryRunEnd) return error.report;
      throw error;
    }
  }

  /**
   * Completes imports: their webhooks send from now on, beginning with the events since the import, and
   * what they have written is not compared any more.
   *
   * @param ids the directories; undefined for all
   * @returns those that were activated
   */
  async activate(ids?: readonly string[], call: CallContext = LIBRARY_CALL): Promise<string[]> {
    const { sql, repository, audit } = this.context;
    const found = await this.unfinished(ids);
    for (const { id } of found) {
      await sql.transaction(async (transaction) => {
        const marked = await transaction.rows(statements.MARK_ACTIVATED, [id]);
        if (marked.length === 0) return;
        const endpoint = await repository.endpoints.find(transaction, webhookOf(id));
        if (endpoint?.state === 'paused' && endpoint.reason === WAITS) {
          await repository.endpoints.resume(transaction, endpoint);
        }
        await repository.keyLinks.wantFeed(transaction, id);
        const event = adminEventOf({ type: 'directory.import_activated', targetId: id }, call);
        await audit.insert([event], transaction);
      });
      while ((await sql.rows(statements.FORGET_ALL, [id])).length > 0);
    }
    return found.map(({ id }) => id);
  }

  /**
   * Deletes the directories of imports that were not activated, and what providers have sent to them.
   * Once they are purged, they can be imported again.
   *
   * @param ids the directories; undefined for all
   * @returns those that were deleted, or would be in a dry run
   */
  async discard(
    ids: readonly string[] | undefined,
    { isDryRun, signal }: Pick<ImportOptions, 'isDryRun' | 'signal'>,
    call: CallContext = LIBRARY_CALL,
  ): Promise<DiscardedImport[]> {
    const { sql } = this.context;
    const discarded: DiscardedImport[] = [];
    for (const found of await this.unfinished(ids)) {
      signal?.throwIfAborted();
      const [waiting] = await sql.rows<{ count: number }>(statements.WAITING_EVENTS, [found.id]);
      if (!isDryRun && !(await this.delete(found.id, call))) continue;
      discarded.push({ ...found, events: waiting?.count ?? 0 });
      if (!isDryRun) await this.purge(found.id, signal);
    }
    return discarded;
  }

  /** @returns false if it was activated or deleted meanwhile */
  private async delete(id: string, call: CallContext): Promise<boolean> {
    const { repository } = this.context;
    const event = adminEventOf({ type: 'directory.deleted', targetId: id }, call);
    const changes = async (sql: SqlExecutor) => {
      if ((await sql.rows(statements.LOCK_UNFINISHED, [id])).length === 0) throw new Activated();
      return { deletedAt: new Date() };
    };
    try {
      return await repository.update(id, changes, event);
    } catch (error) {
      if (error instanceof Activated) return false;
      throw error;
    }
  }

  /** Deletes the rows of a deleted directory, and its own if it was deleted long enough ago. */
  private async purge(id: string, signal?: AbortSignal): Promise<void> {
    while (!(await this.context.repository.purge(id, PURGE_BUDGET_MS, signal))) {
      signal?.throwIfAborted();
    }
  }

  private unfinished(ids: readonly string[] | undefined): Promise<ImportedDirectory[]> {
    const wanted = ids?.filter(isUuid) ?? null;
    return this.context.sql.rows<ImportedDirectory>(statements.UNFINISHED, [wanted]);
  }

  private async read(
    source: SourceDirectory,
    storable: StorableDirectory,
    stored: Stored | undefined,
    content: DirectoryContent,
    { signal, onProgress = () => undefined }: ImportOptions,
  ): Promise<ReadDirectory> {
    const onBatch = (count: number) => {
      signal?.throwIfAborted();
      onProgress(count);
    };
    const { id: directoryId, type: directoryType } = storable.row;
    const base = { source, storable, stored, deleted: { user: [], group: [] } };
    if (!stored || source.workspace) {
      const users = everything(content.users(), onBatch);
      return { ...base, users, groups: everything(content.groups(), onBatch) };
    }
    const { sql } = this.context;
    const scope = { sql, directoryId, directoryType };
    const users = await changesOf(scope, 'user', content.users(), onBatch);
    const groups = await changesOf(scope, 'group', content.groups(), onBatch);
    const deleted = (kind: ResourceKind, seen: ReadonlySet<string>) =>
      deletedOf(
        content,
        kind,
        idsNotIn((after) => sql.rows(statements.importedIds(kind), [directoryId, after]), seen),
      );
    return {
      ...base,
      users,
      groups,
      deleted: {
        user: await deleted('user', users.seen),
        group: await deleted('group', groups.seen),
      },
    };
  }

  private async find(id: string): Promise<Stored | undefined> {
    const [stored] = await this.context.sql.rows<Stored>(statements.FIND_DIRECTORY, [id]);
    return stored;
  }
}

function refusalOf(
  { tenant, product }: SourceDirectory,
  stored: Stored | undefined,
): ConflictReason | undefined {
  if (!stored) return undefined;
  if (stored.tenant !== tenant || stored.product !== product) return 'directory_elsewhere';
  if (stored.purgedAt) return 'directory_deleted';
  if (!stored.isImported) return 'directory_exists';
  return stored.isActivated ? 'directory_activated' : undefined;
}

function detailOf(stored: Stored | undefined): string {
  if (!stored?.purgedAt) return '';
  return `it was deleted here, and can be imported again from ${stored.purgedAt.toISOString()} on`;
}

function skipped(source: SourceDirectory, reason: ConflictReason, detail = ''): DirectoryReport {
  const report = newReport(source);
  addConflict(report, 'directory', source.id, reason, detail);
  return report;
}
