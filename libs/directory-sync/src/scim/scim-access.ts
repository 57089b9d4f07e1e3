/**
 * What a request needs before anything else: its directory, and where its address names a user,
 * that user too. Both come in one round trip, because most requests are about one user.
 */
import { LRUCache } from 'lru-cache';
import type { Database, Statement } from '../database/database.js';
import {
  ACCESS_COLUMNS,
  type DirectoryAccess,
  type DirectoryRepository,
} from '../directories/directory.repository.js';
import { inDirectory, NO_DIRECTORY } from '../directories/scope.js';
import { GROUPS_OF_USER, USER_COLUMNS } from '../users/user.repository.js';
import type { UserRow } from '../users/user.types.js';
import { isUuid } from '../uuid.js';
import type { ScimCall, ScimContext } from './scim.types.js';

export interface Access {
  directory: DirectoryAccess | undefined;
  /** Read ahead for the request, and as old as its first moment. */
  user: UserRow | undefined;
}

/** Reads it, whatever the credential is; an id that is none stands for a directory of nobody. */
export async function accessOf(
  database: Database,
  directories: DirectoryRepository,
  { directoryId, target }: ScimCall,
): Promise<Access> {
  const id = isUuid(directoryId) ? directoryId : NO_DIRECTORY;
  const namesUser = target.kind === 'resource' && target.resource === 'User' && isUuid(target.id);
  if (!namesUser) return { directory: await directories.access(id), user: undefined };
  const [row] = await database.run<BothRow>(ACCESS_WITH_USER, [id, target.id]);
  if (!row) return { directory: undefined, user: undefined };
  const { revision, tenant, product, type, deactivated, attributeMapping, isSending } = row;
  const { scimSecretSha256, scimSecretPreviousSha256, scimSecretPreviousUntil } = row;
  return {
    directory: {
      id,
      revision,
      tenant,
      product,
      type,
      deactivated,
      attributeMapping,
      isSending,
      scimSecretSha256,
      scimSecretPreviousSha256,
      scimSecretPreviousUntil,
    },
    user: userOf(row),
  };
}

const REMEMBERED_MAX = 10_000;

/**
 * Directories as they were when they were last read, so that a request need not read its own again.
 * They decide nothing alone: every statement of such a request asks for the revision that was
 * remembered, and finds nothing and writes nothing where it is another one by now.
 */
export class RememberedDirectories {
  private readonly directories = new LRUCache<string, DirectoryAccess>({ max: REMEMBERED_MAX });

  /** The directory of a call that may do with a remembered one. */
  recall({ directoryId, target, method }: ScimCall): DirectoryAccess | undefined {
    const isCollection =
      target.kind === 'collection' || (target.kind === 'search' && target.resource !== undefined);
    const isMemberChange =
      target.kind === 'resource' && target.resource === 'Group' && method === 'PATCH';
    return isCollection || isMemberChange ? this.directories.get(directoryId) : undefined;
  }

  remember(directory: DirectoryAccess): void {
    this.directories.set(directory.id, directory);
  }

  forget(directoryId: string): void {
    this.directories.delete(directoryId);
  }
}

/** Thrown where a directory is not what it was when the request was let in: let it in anew. */
export class StaleDirectory extends Error {
  override readonly name = 'StaleDirectory';
}

/**
 * Makes sure that nothing was found because there is nothing, and not because the directory has
 * changed since it was remembered.
 * @throws StaleDirectory when it has
 */
export async function ensureCurrent(context: ScimContext): Promise<void> {
  const { revision, directories, directory } = context;
  if (revision === null) return;
  if ((await directories.revision(directory.id)) !== revision) throw new StaleDirectory();
}

/** One row for both: its `id` is the user's, and null when there is no such user. */
type BothRow = Omit<DirectoryAccess, 'id'> & (UserRow | { id: null });

function userOf(row: BothRow): UserRow | undefined {
  if (row.id === null) return undefined;
  const { id, version, raw, firstName, lastName, email, active } = row;
  const { createdAt, updatedAt, groups } = row;
  return { id, version, raw, firstName, lastName, email, active, createdAt, updatedAt, groups };
}

const ACCESS_WITH_USER: Statement = {
  name: 'dsync_directory_access_with_user',
  text: `SELECT ${ACCESS_COLUMNS}, ${USER_COLUMNS}, ${GROUPS_OF_USER} AS groups
    FROM dsync.directories d
    LEFT JOIN dsync.users u ON u.id = $2 AND ${inDirectory('u')}
    WHERE d.id = $1 AND d.deleted_at IS NULL`,
};
