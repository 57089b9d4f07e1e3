/**
 * What this process remembers of requests that it has answered: directories as they were read, and
 * users as it has written them. It saves reading them again and decides nothing alone: statements
 * of such a request ask for the revision of the directory and the version of the user that were
 * remembered, and find nothing and write nothing where they are others by now (ADR 0023).
 */
import type { ScimResource } from '@gatehouse/scim';
import { LRUCache } from 'lru-cache';
import type { DirectoryAccess } from '../../directories/directory.repository.js';
import type { UserRow } from '../../users/user.types.js';
import type { Access } from './scim-access.js';
import type { ScimCall, ScimContext } from '../protocol/scim.types.js';

const DIRECTORIES_MAX = 10_000;
const USERS_BYTES_MAX = 16 * 1024 * 1024;
/** What the process spends on a user beside its text. */
const USER_OVERHEAD_BYTES = 512;

/** The resource is kept as text: nobody who is given a part of it can change what is remembered. */
type RememberedUser = Omit<UserRow, 'raw' | 'groups'> & {
  directoryId: string;
  rawText: string;
  hadGroups: boolean;
};

export class Remembered {
  private readonly directories = new LRUCache<string, DirectoryAccess>({ max: DIRECTORIES_MAX });
  private readonly users = new LRUCache<string, RememberedUser>({
    maxSize: USERS_BYTES_MAX,
    sizeCalculation: ({ rawText }) => rawText.length * 2 + USER_OVERHEAD_BYTES,
  });

  /** What a call needs before anything else, where all of it is remembered. */
  recall({ directoryId, target, method }: ScimCall): Access | undefined {
    const directory = this.directories.get(directoryId);
    if (!directory) return undefined;
    switch (target.kind) {
      case 'collection':
        return { directory, user: undefined };
      case 'search':
        return target.resource && { directory, user: undefined };
      case 'resource':
        if (target.resource === 'User') {
          const isChange = method === 'PATCH' || method === 'PUT';
          const user = isChange ? this.user(directoryId, target.id) : undefined;
          return user && { directory, user };
        }
        return method === 'PATCH' ? { directory, user: undefined } : undefined;
      default:
        return undefined;
    }
  }

  rememberDirectory(directory: DirectoryAccess): void {
    this.directories.set(directory.id, directory);
  }

  /** `rawText` is the `raw` of the row, as it was written. */
  rememberUser(directoryId: string, { raw: _, groups, ...row }: UserRow, rawText: string): void {
    const hadGroups = groups?.length !== 0;
    this.users.set(row.id, { ...row, directoryId, rawText, hadGroups });
  }

  /** Everything that `recall` has for the call. */
  forget({ directoryId, target }: ScimCall): void {
    this.directories.delete(directoryId);
    if (target.kind === 'resource') this.users.delete(target.id);
  }

  private user(directoryId: string, id: string): UserRow | undefined {
    const remembered = this.users.get(id);
    if (!remembered) return undefined;
    const { directoryId: ownDirectoryId, rawText, hadGroups, ...row } = remembered;
    if (ownDirectoryId !== directoryId) return undefined;
    const raw = JSON.parse(rawText) as ScimResource;
    return { ...row, raw, groups: hadGroups ? null : [] };
  }
}

/** Thrown where something is not as it was remembered, or may not be: answer from what is stored. */
export class StaleMemory extends Error {
  override readonly name = 'StaleMemory';
}

/**
 * Makes sure that nothing was found because there is nothing, and not because the directory has
 * changed since it was remembered.
 * @throws StaleMemory when it has
 */
export async function ensureCurrent(context: ScimContext): Promise<void> {
  const { revision, directories, directory } = context;
  if (revision === null) return;
  if ((await directories.revision(directory.id)) !== revision) throw new StaleMemory();
}
