import {
  type Endpoint,
  Endpoints,
  type EndpointSettings,
  type EndpointState,
} from '@gatehouse/delivery';
import { type DirectoryNoticeType } from '@gatehouse/schemas';
import { type AdminEvent, AuditEvents } from '@gatehouse/kit/audit';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { executorOf } from '@gatehouse/nest-kit/database';
import {
  And,
  type DataSource,
  type FindManyOptions,
  type FindOperator,
  type FindOptionsWhere,
  IsNull,
  Not,
  Raw,
  type Repository,
} from 'typeorm';
import { ConnectionRepository } from '../connections/connection.repository.js';
import { type NewConnection } from '../connections/connection.types.js';
import { AUDIT_TABLE } from '../audit/audit-table.js';
import { KeyLinkRepository } from '../key-links/key-link.repository.js';
import { DSYNC_SCHEMA } from '../database/schema.js';
import { Directory } from './directory.entity.js';
import { insertNotice, type NoticedDirectory } from './directory-notices.js';
import * as statements from './directory.sql.js';
import { FAULTS_OF, faultyIds } from './directory-health.sql.js';
import {
  type AccessRow,
  type DirectoryAccess,
  type DirectoryFault,
  type EndpointRow,
  type HealthState,
} from './directory.types.js';
import { accessOf, type ScimCredential } from './scim-credential.js';

/** New values of a directory's columns; a function returns SQL, which sees the row as it was. */
export type DirectoryUpdate = {
  [Column in keyof Directory]?: Directory[Column] | (() => string);
};

export type DirectoryFilter = Partial<Pick<Directory, 'tenant' | 'product' | 'type'>> & {
  state?: HealthState;
  hasErrors?: boolean;
  quiet?: boolean;
};

/** Directories that are marked quiet in one transaction. */
export const QUIET_BATCH = 100;

type QuietDirectory = NoticedDirectory & { lastRequestAt: Date };

/** The columns of a new directory; the others have defaults. */
export type NewDirectoryRow = Pick<
  Directory,
  'id' | 'name' | 'tenant' | 'product' | 'type' | 'strict' | 'putClearsMembers' | 'attributeMapping'
> &
  Pick<Directory, 'scimSecretSealed' | 'scimSecretSha256'>;

/** As in the index of quiet directories. */
const QUIET = { quietAt: Not(IsNull()), deactivated: false };

/** Exported only for the test of its query plan. */
export function newestOf(
  { state, hasErrors, quiet, ...by }: DirectoryFilter,
  offset: number,
  limit: number,
): FindManyOptions<Directory> {
  const ids = [...ofState(state), ...withErrors(hasErrors)];
  const where: FindOptionsWhere<Directory> = { ...by, deletedAt: IsNull() };
  if (ids.length > 0) where.id = And(...ids);
  if (quiet !== undefined) Object.assign(where, quiet ? QUIET : { quietAt: IsNull() });
  if (state === 'healthy' || state === 'deactivated') where.deactivated = state === 'deactivated';
  return {
    where,
    order: { createdAt: 'DESC', id: 'DESC' },
    skip: offset,
    take: limit,
  };
}

function ofState(state: HealthState | undefined): FindOperator<string>[] {
  if (state === undefined || state === 'deactivated') return [];
  return state === 'healthy'
    ? withErrors(false)
    : [among(faultyIds('f.state = :state'), { state })];
}

function withErrors(hasErrors: boolean | undefined): FindOperator<string>[] {
  if (hasErrors === undefined) return [];
  const ids = faultyIds('true');
  if (hasErrors) return [among(ids)];
  return [Raw((id) => `${id} NOT IN (${ids})`) as FindOperator<string>];
}

/** An array is read by the primary key; a subquery would be compared with all directories. */
function among(ids: string, parameters: object = {}): FindOperator<string> {
  return Raw((id) => `${id} = ANY (ARRAY(${ids}))`, parameters) as FindOperator<string>;
}

/** Directories: TypeORM for the records that administrators edit, statements for SCIM requests. */
type ChangesOf = (sql: SqlExecutor, directory: Directory) => Promise<DirectoryUpdate>;

export class DirectoryRepository {
  private readonly directories: Repository<Directory>;
  private readonly audit: AuditEvents;
  readonly endpoints = new Endpoints(DSYNC_SCHEMA);
  readonly connections: ConnectionRepository;
  readonly keyLinks: KeyLinkRepository;

  constructor(
    private readonly dataSource: DataSource,
    private readonly sql: Sql,
  ) {
    this.audit = new AuditEvents(sql, AUDIT_TABLE);
    this.connections = new ConnectionRepository(sql);
    this.keyLinks = new KeyLinkRepository(sql);
    this.directories = dataSource.getRepository(Directory);
  }

  /** The directory data that a SCIM request needs; undefined for an unknown or deleted directory. */
  async access(id: string): Promise<DirectoryAccess | undefined> {
    const [row] = await this.sql.rows<AccessRow>(statements.ACCESS, [id]);
    return row && accessOf(row);
  }

  /** The current revision of a directory; undefined for an unknown or deleted one. */
  async revision(id: string): Promise<number | undefined> {
    const [row] = await this.sql.rows<{ revision: number }>(statements.REVISION, [id]);
    return row?.revision;
  }

  async find(id: string): Promise<Directory | null> {
    const directory = await this.directories.findOneBy({ id, deletedAt: IsNull() });
    if (directory) await this.addParts([directory], this.sql);
    return directory;
  }

  async list(filter: DirectoryFilter, offset: number, limit: number): Promise<Directory[]> {
    const directories = await this.directories.find(newestOf(filter, offset, limit));
    await this.addParts(directories, this.sql);
    return directories;
  }

  /** The endpoints of directories that have an address, the newest directory first. */
  listEndpoints(
    scope: statements.ScopeFilter,
    state: EndpointState | null,
    offset: number,
    limit: number,
  ): Promise<EndpointRow[]> {
    const values = [...statements.scopeValues(scope), state, offset, limit];
    return this.sql.rows<EndpointRow>(statements.LIST_ENDPOINTS, values);
  }

  /** The faults of directories, the oldest first. */
  async faultsOf(ids: readonly string[]): Promise<Map<string, DirectoryFault[]>> {
    const byDirectory = new Map(ids.map((id) => [id, [] as DirectoryFault[]]));
    const faults = await this.sql.rows<DirectoryFault>(FAULTS_OF, [ids]);
    for (const fault of faults) byDirectory.get(fault.directoryId)?.push(fault);
    return byDirectory;
  }

  /** Inserts a directory with its webhook, its connection, the audit event, and `alsoIn`. */
  insert(
    directory: NewDirectoryRow,
    webhook: EndpointSettings,
    connection: NewConnection | null,
    event: AdminEvent,
    alsoIn?: (id: string, sql: SqlExecutor) => Promise<void>,
  ): Promise<void> {
    return this.sql.transaction(async (sql) => {
      await this.insertIn(sql, directory, webhook, connection, event);
      await alsoIn?.(directory.id, sql);
    });
  }

  /** As `insert`, in a transaction of the caller. */
  async insertIn(
    sql: SqlExecutor,
    directory: NewDirectoryRow,
    webhook: EndpointSettings,
    connection: NewConnection | null,
    event: AdminEvent,
  ): Promise<void> {
    await sql.rows(statements.INSERT_DIRECTORY, [
      directory.id,
      directory.name,
      directory.tenant,
      directory.product,
      directory.type,
      directory.attributeMapping,
      directory.scimSecretSealed,
      directory.scimSecretSha256,
      directory.strict,
      directory.putClearsMembers,
    ]);
    await this.endpoints.insert(sql, directory.id, directory.id, webhook);
    if (connection) await this.connections.insert(sql, directory.id, connection);
    await this.keyLinks.linkNew(sql, directory);
    await insertNotice(sql, 'directory.created', directory);
    await this.audit.insert([event], sql);
  }

  /**
   * Changes a directory, with the audit event. `changeWebhook` runs in the same transaction, with the
   * directory as it is then.
   *
   * @param changes or what computes them from the locked directory
   * @returns false, without writing, for an unknown or deleted directory
   */
  update(
    id: string,
    changes: DirectoryUpdate | ChangesOf,
    event: AdminEvent,
    changeWebhook?: (sql: SqlExecutor, directory: Directory) => Promise<void>,
  ): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const live = { id, deletedAt: IsNull() };
      const lock = { mode: 'pessimistic_write' } as const;
      const before = await manager.findOne(Directory, { where: live, lock });
      if (!before) return false;
      const revision = () => 'revision + 1';
      const sql = executorOf(manager);
      const update = typeof changes === 'function' ? await changes(sql, before) : changes;
      await manager.update(Directory, { id }, { ...update, revision, updatedAt: new Date() });
      const notice = noticeOf(before, update);
      if (notice) await insertNotice(sql, notice, before);
      const isDeleted = update.deletedAt !== undefined;
      if (isDeleted || update.attributeMapping !== undefined) {
        await this.keyLinks.wantFeed(sql, id);
      }
      await this.audit.insert([event], sql);
      if (changeWebhook) {
        const directory = await manager.findOneByOrFail(Directory, { id });
        await this.addParts([directory], sql);
        await changeWebhook(sql, directory);
      }
      return true;
    });
  }

  /**
   * Locks a directory for a change of its endpoints, so that no change of the directory or of another
   * endpoint gets lost. Undefined for an unknown or deleted one.
   */
  async lockForEndpoints(
    sql: SqlExecutor,
    id: string,
  ): Promise<Pick<Directory, 'deactivated'> | undefined> {
    const [row] = await sql.rows<Pick<Directory, 'deactivated'>>(statements.LOCK_FOR_ENDPOINTS, [
      id,
    ]);
    return row;
  }

  /** Adds to the number of member references that matched no user or group of the directory. */
  async countIgnoredMembers(id: string, count: number): Promise<void> {
    await this.sql.rows(statements.COUNT_IGNORED, [id, count]);
  }

  /**
   * Logs a notice for each directory that has received no request for a time, once until its next one.
   *
   * @returns how many there were, at most QUIET_BATCH
   */
  markQuiet(seconds: number): Promise<number> {
    return this.sql.transaction(async (sql) => {
      const quiet = await sql.rows<QuietDirectory>(statements.MARK_QUIET, [seconds, QUIET_BATCH]);
      for (const directory of quiet) {
        const last_request_at = directory.lastRequestAt.toISOString();
        await insertNotice(sql, 'directory.quiet', directory, { last_request_at });
      }
      return quiet.length;
    });
  }

  /** Records the time of a SCIM request, why it was refused, and the secret that it was sent with. */
  async touch(
    id: string,
    refusal: string | null,
    { tokenId, sha256 }: Pick<ScimCredential, 'tokenId' | 'sha256'>,
  ): Promise<void> {
    await this.sql.rows(statements.TOUCH, [id, refusal, tokenId, sha256]);
  }

  /** Removes the SCIM secret. @returns false without a secret */
  async retireSecret(id: string, sql: SqlExecutor): Promise<boolean> {
    return (await sql.rows(statements.RETIRE_SECRET, [id])).length > 0;
  }

  /** Deleted directories that still have rows. */
  async deletedIds(): Promise<string[]> {
    const rows = await this.sql.rows<{ id: string }>(statements.DELETED_IDS);
    return rows.map(({ id }) => id);
  }

  /**
   * Deletes the rows of a deleted directory in small batches, children first, to keep locks short.
   * The directory's own row stays for ten minutes: a request that started before the deletion may
   * still write rows, and a later purge needs the directory to find them.
   *
   * @returns false when the time budget ran out or the signal aborted; call again to continue
   */
  async purge(id: string, budgetMs: number, signal?: AbortSignal): Promise<boolean> {
    const deadline = performance.now() + budgetMs;
    for (const batch of statements.PURGE_BATCHES) {
      for (;;) {
        const [row] = await this.sql.rows<{ count: string }>(batch, [id]);
        if (Number(row?.count ?? 0) < statements.PURGE_BATCH_ROWS) break;
        if (performance.now() > deadline || signal?.aborted) return false;
      }
    }
    await this.sql.rows(statements.DELETE_PURGED, [id]);
    return true;
  }

  /** Adds the webhooks and connections of directories. */
  private async addParts(directories: Directory[], sql: SqlExecutor): Promise<void> {
    const ids = directories.map(({ id }) => id);
    const pulled = directories.filter(({ type }) => type === 'workspace').map(({ id }) => id);
    const connected = pulled.length === 0 ? [] : await this.connections.findMany(pulled, sql);
    const connections = new Map(connected.map((each) => [each.directoryId, each]));
    const found = ids.length === 0 ? [] : await this.endpoints.findOwn(sql, ids);
    const webhooks = new Map(found.map((endpoint) => [endpoint.id, endpoint]));
    for (const directory of directories) {
      directory.webhook = webhooks.get(directory.id) as Endpoint;
      directory.connection = connections.get(directory.id) ?? null;
    }
  }
}

function noticeOf(before: Directory, changes: DirectoryUpdate): DirectoryNoticeType | undefined {
  if (changes.deletedAt) return 'directory.deleted';
  const { deactivated } = changes;
  if (deactivated === undefined || deactivated === before.deactivated) return undefined;
  return deactivated ? 'directory.deactivated' : 'directory.activated';
}
