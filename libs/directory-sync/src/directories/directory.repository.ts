import { type DataSource, type FindManyOptions, IsNull, type Repository } from 'typeorm';
import { type Database, type Statement } from '../database/database.js';
import { Directory } from './directory.entity.js';
import type { DirectoryType } from './directory.types.js';
import type { ScimSecretHashes } from './directory-secrets.js';

/** What a SCIM request needs to know of its directory. */
export interface DirectoryAccess extends ScimSecretHashes {
  id: string;
  revision: number;
  tenant: string;
  product: string;
  type: DirectoryType;
  deactivated: boolean;
  attributeMapping: Record<string, string> | null;
  /** Whether new events wait for delivery, or are logged only. */
  isSending: boolean;
}

/** Whether new events of a directory `d` wait for delivery. */
export const IS_SENDING = `(d.webhook_endpoint IS NOT NULL AND d.webhook_stopped_at IS NULL AND NOT d.deactivated)`;

/** The columns of a DirectoryAccess but its id, of a directory `d`. */
export const ACCESS_COLUMNS = `d.revision, d.tenant, d.product, d.type, d.deactivated,
  d.attribute_mapping AS "attributeMapping",
  d.scim_secret_sha256 AS "scimSecretSha256",
  d.scim_secret_previous_sha256 AS "scimSecretPreviousSha256",
  d.scim_secret_previous_until AS "scimSecretPreviousUntil",
  ${IS_SENDING} AS "isSending"`;

const ACCESS: Statement = {
  name: 'dsync_directory_access',
  text: `SELECT d.id, ${ACCESS_COLUMNS}
    FROM dsync.directories d WHERE d.id = $1 AND d.deleted_at IS NULL`,
};

const REVISION: Statement = {
  name: 'dsync_directory_revision',
  text: 'SELECT revision FROM dsync.directories WHERE id = $1 AND deleted_at IS NULL',
};

/** New values of a directory's columns; a function gives SQL, which sees the row as it was. */
export type DirectoryUpdate = {
  [Column in keyof Directory]?: Directory[Column] | (() => string);
};

export type DirectoryFilter = Partial<Pick<Directory, 'tenant' | 'product' | 'type'>>;

/** Exported for the test of its plan alone. */
export function newestOf(
  filter: DirectoryFilter,
  offset: number,
  limit: number,
): FindManyOptions<Directory> {
  return {
    where: { ...filter, deletedAt: IsNull() },
    order: { createdAt: 'DESC', id: 'DESC' },
    skip: offset,
    take: limit,
  };
}

export class DirectoryRepository {
  private readonly directories: Repository<Directory>;

  constructor(
    dataSource: DataSource,
    private readonly database: Database,
  ) {
    this.directories = dataSource.getRepository(Directory);
  }

  async access(id: string): Promise<DirectoryAccess | undefined> {
    const [row] = await this.database.run<DirectoryAccess>(ACCESS, [id]);
    return row;
  }

  /** The revision of a directory as it is now; undefined when it is gone. */
  async revision(id: string): Promise<number | undefined> {
    const [row] = await this.database.run<{ revision: number }>(REVISION, [id]);
    return row?.revision;
  }

  find(id: string): Promise<Directory | null> {
    return this.directories.findOneBy({ id, deletedAt: IsNull() });
  }

  list(filter: DirectoryFilter, offset: number, limit: number): Promise<Directory[]> {
    return this.directories.find(newestOf(filter, offset, limit));
  }

  async insert(directory: Partial<Directory> & Pick<Directory, 'id'>): Promise<void> {
    await this.directories.manager.transaction(async (manager) => {
      await manager.insert(Directory, directory);
      await manager.query('INSERT INTO dsync.lanes (directory_id) VALUES ($1)', [directory.id]);
    });
  }

  /** Returns false when there is no such directory. */
  async update(id: string, changes: DirectoryUpdate): Promise<boolean> {
    const { affected } = await this.directories.update(
      { id, deletedAt: IsNull() },
      {
        ...changes,
        revision: () => 'revision + 1',
        updatedAt: new Date(),
      },
    );
    return affected === 1;
  }

  /** Ends the pause before the next attempt: what waits goes to the new address at once. */
  async endPause(id: string): Promise<void> {
    await this.database.run(END_PAUSE, [id]);
  }

  async countIgnoredMembers(id: string, count: number): Promise<void> {
    await this.database.run(COUNT_IGNORED, [id, count]);
  }

  /** Directories that were deleted and still have rows. */
  async deletedIds(): Promise<string[]> {
    const rows = await this.database.run<{ id: string }>(DELETED_IDS, []);
    return rows.map(({ id }) => id);
  }

  /**
   * Takes away the rows of a deleted directory, children first, in batches that hold no lock for
   * long. Returns false when the time was not enough: the rest is for the next call. The directory's
   * own row stays until nobody can write to it any more, and what was written meanwhile goes with it.
   */
  async purge(id: string, budgetMs: number): Promise<boolean> {
    const deadline = performance.now() + budgetMs;
    for (const [table, condition] of PURGED) {
      for (;;) {
        const [{ count } = { count: '0' }] = await this.database.run<{ count: string }>(
          purgeBatch(table, condition),
          [id],
        );
        if (Number(count) < PURGE_BATCH_ROWS) break;
        if (performance.now() > deadline) return false;
      }
    }
    await this.database.run(FORGET, [id]);
    return true;
  }
}

const COUNT_IGNORED: Statement = {
  name: 'dsync_count_ignored_members',
  text: `UPDATE dsync.directories SET ignored_members = ignored_members + $2 WHERE id = $1`,
};

const END_PAUSE: Statement = {
  text: 'UPDATE dsync.lanes SET next_attempt_at = NULL WHERE directory_id = $1',
};

const DELETED_IDS: Statement = {
  text: 'SELECT id FROM dsync.directories WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 100',
};

// A statement that saw the directory alive has ended long before.
const FORGET: Statement = {
  text: `DELETE FROM dsync.directories WHERE id = $1 AND deleted_at < now() - interval '10 minutes'`,
};

const PURGE_BATCH_ROWS = 5_000;
const OF_DIRECTORY = 'directory_id = $1';
const OF_GROUPS = 'group_id IN (SELECT id FROM dsync.groups WHERE directory_id = $1)';
const PURGED = [
  ['delivery_attempts', OF_DIRECTORY],
  ['events', OF_DIRECTORY],
  ['lanes', OF_DIRECTORY],
  ['group_members', OF_GROUPS],
  ['groups', OF_DIRECTORY],
  ['users', OF_DIRECTORY],
] as const;

function purgeBatch(table: string, condition: string): Statement {
  return {
    text: `WITH gone AS (
        DELETE FROM dsync.${table} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM dsync.${table} WHERE ${condition} LIMIT ${PURGE_BATCH_ROWS}))
        RETURNING 1)
      SELECT count(*) FROM gone`,
  };
}
