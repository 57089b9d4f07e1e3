/**
 * What a request needs before anything else: its directory, and where its address names a user,
 * that user too. Both come in one round trip, because most requests are about one user.
 */
import type { Database, Statement } from '../../database/database.js';
import {
  ACCESS_COLUMNS,
  type DirectoryAccess,
  type DirectoryRepository,
} from '../../directories/directory.repository.js';
import { inDirectory, NO_DIRECTORY } from '../../directories/scope.js';
import { GROUPS_OF_USER, USER_COLUMNS } from '../../users/user.repository.js';
import type { UserRow } from '../../users/user.types.js';
import { isUuid } from '../../database/uuid.js';
import type { ScimCall } from '../protocol/scim.types.js';

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
  const { directoryId: ownId, revision, tenant, product, type, deactivated } = row;
  const { attributeMapping, isSending } = row;
  const { scimSecretSha256, scimSecretPreviousSha256, scimSecretPreviousUntil } = row;
  return {
    directory: {
      id: ownId,
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

/** One row for both: its `id` is the user's, and null when there is no such user. */
type BothRow = Omit<DirectoryAccess, 'id'> & { directoryId: string } & (UserRow | { id: null });

function userOf(row: BothRow): UserRow | undefined {
  if (row.id === null) return undefined;
  const { id, version, raw, firstName, lastName, email, active } = row;
  const { createdAt, updatedAt, groups } = row;
  return { id, version, raw, firstName, lastName, email, active, createdAt, updatedAt, groups };
}

const ACCESS_WITH_USER: Statement = {
  name: 'dsync_directory_access_with_user',
  text: `SELECT d.id AS "directoryId", ${ACCESS_COLUMNS}, ${USER_COLUMNS}, ${GROUPS_OF_USER} AS groups
    FROM dsync.directories d
    LEFT JOIN dsync.users u ON u.id = $2 AND ${inDirectory('u')}
    WHERE d.id = $1 AND d.deleted_at IS NULL`,
};
