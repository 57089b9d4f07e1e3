/**
 * A cache of directories as they were read and of users as this process wrote them. It saves
 * reads but decides nothing alone: statements of a request with cached data check the revision of
 * the directory and the version of the user, and neither match nor write rows if these have
 * changed (ADR 0023).
 */
import { type ScimResource } from '@gatehouse/scim';
import { LRUCache } from 'lru-cache';
import { type DirectoryAccess } from '../../directories/directory.types.js';
import { type UserRow, type UserWrite } from '../../users/user.types.js';
import { type ScimRequest } from '../protocol/scim.types.js';

const DIRECTORIES_MAX = 10_000;
const USERS_BYTES_MAX = 16 * 1024 * 1024;
/** Memory per user in addition to its JSON text. */
const USER_OVERHEAD_BYTES = 512;

/** Data that a request needs before it can be handled. */
export interface CachedAccess {
  directory: DirectoryAccess;
  user: UserRow | undefined;
}

/** The resource is kept as text, so that a request cannot modify the cached object. */
type CachedUser = Omit<UserRow, 'raw' | 'groups'> & {
  directoryId: string;
  rawText: string;
  hadGroups: boolean;
};

export class DirectoryCache {
  private readonly directories = new LRUCache<string, DirectoryAccess>({ max: DIRECTORIES_MAX });
  private readonly users = new LRUCache<string, CachedUser>({
    maxSize: USERS_BYTES_MAX,
    sizeCalculation: ({ rawText }) => rawText.length * 2 + USER_OVERHEAD_BYTES,
  });

  /** Everything a request needs, or undefined if any of it is not cached. */
  find({ directoryId, target, method }: ScimRequest): CachedAccess | undefined {
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
          const user = isChange ? this.findUser(directoryId, target.id) : undefined;
          return user && { directory, user };
        }
        return method === 'PATCH' ? { directory, user: undefined } : undefined;
      default:
        return undefined;
    }
  }

  findDirectory(directoryId: string): DirectoryAccess | undefined {
    return this.directories.get(directoryId);
  }

  storeDirectory(directory: DirectoryAccess): void {
    this.directories.set(directory.id, directory);
  }

  storeUser(directoryId: string, { user: { raw: _, groups, ...row }, rawText }: UserWrite): void {
    const hadGroups = groups?.length !== 0;
    this.users.set(row.id, { ...row, directoryId, rawText, hadGroups });
  }

  /** Deletes everything that `find` returns for the request. */
  delete({ directoryId, target }: ScimRequest): void {
    this.directories.delete(directoryId);
    if (target.kind === 'resource') this.users.delete(target.id);
  }

  private findUser(directoryId: string, id: string): UserRow | undefined {
    const cached = this.users.get(id);
    if (!cached) return undefined;
    const { directoryId: ownDirectoryId, rawText, hadGroups, ...row } = cached;
    if (ownDirectoryId !== directoryId) return undefined;
    const raw = JSON.parse(rawText) as ScimResource;
    return { ...row, raw, groups: hadGroups ? null : [] };
  }
}
