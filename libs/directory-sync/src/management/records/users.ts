import { deriveRoles } from '@gatehouse/scim';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader } from '@gatehouse/kit/input';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { customAttributes } from '../../directories/custom-attributes.js';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import { type ScopeFilter } from '../../directories/directory.sql.js';
import { scimPath } from '../../directories/directory.view.js';
import { groupReferences } from '../../users/group-references.js';
import { findUserRecord, listUserRecords, type UserLookup } from '../../users/user.repository.js';
import { type DirectoryUser, type UserRecord } from '../../users/user.types.js';
import { type Page, pageOf, type PageOf } from '../page.input.js';
import { notFound } from '../../sync.errors.js';
import { narrowed } from '../directories/scope.input.js';

const LOOKUP_CHARACTERS_MAX = 2_048;

export interface RecordsContext {
  sql: SqlExecutor;
  directories: Pick<DirectoryRepository, 'access'>;
  externalUrl: string;
  pageBytesMax: number;
}

/** Values that users must have to be listed; at most one. */
export interface UserLookups {
  /** By the role mapping of the directory. */
  role?: string;
  /** Regardless of case. */
  userName?: string;
  /** Any of the addresses of a user, regardless of case. */
  email?: string;
  external_id?: string;
}

type UsersPage = Page & UserLookups & { directoryId?: string };

/** A handle of the `users` operations of the controller object: those of one scope. */
export class ScopedUsers {
  constructor(
    private readonly context: RecordsContext,
    private readonly scope: (needsProduct?: boolean) => ScopeFilter,
  ) {}

  /**
   * Newest first; 50 unless `pageLimit` says otherwise. With one of `UserLookups`, those that have the
   * value; then a tenant without a product stands for all of its directories. 400 for a bad page, scope or role, 404 for an unknown `directoryId`.
   */
  async getAll(options: UsersPage = {}): Promise<DirectoryUser[]> {
    return (await this.getPage(options)).items;
  }

  /** As `getAll`, with the offset of the next page. A page of large users ends early. */
  async getPage(options: UsersPage = {}): Promise<PageOf<DirectoryUser>> {
    const { sql, pageBytesMax: bytesMax } = this.context;
    const { offset, limit } = pageOf(options);
    const lookup = lookupOf(options);
    const scope = narrowed(this.scope(lookup === undefined), options?.directoryId);
    const page = { offset, limit, bytesMax };
    const { rows, hasMore } = await listUserRecords(sql, scope, page, lookup);
    if (rows.length === 0) await requireDirectory(this.context.directories, scope);
    return {
      items: rows.map((row) => this.view(row)),
      nextOffset: hasMore ? offset + rows.length : null,
    };
  }

  /** 404 "User not found". */
  async get(id: string): Promise<DirectoryUser> {
    const scope = this.scope();
    const record = isUuid(id) ? await findUserRecord(this.context.sql, scope, id) : undefined;
    if (!record) throw notFound('User not found');
    return this.view(record);
  }

  private view(record: UserRecord): DirectoryUser {
    const custom = customAttributes(record.raw, record.attributeMapping);
    const roles = record.mappedRoles ?? deriveRoles(record.raw);
    const baseUrl = this.context.externalUrl + scimPath(record.directoryId);
    return {
      id: record.id,
      directory_id: record.directoryId,
      first_name: record.firstName ?? '',
      last_name: record.lastName ?? '',
      email: record.email ?? '',
      active: record.active,
      ...(roles && { roles }),
      raw: { ...record.raw, id: record.id, groups: groupReferences(baseUrl, record.groups) },
      ...(custom && { custom_attributes: custom }),
    };
  }
}

/** An empty list of a directory is one of a directory that exists. @throws DomainError 404 */
export async function requireDirectory(
  directories: RecordsContext['directories'],
  { directoryId }: ScopeFilter,
): Promise<void> {
  if (directoryId === null || (await directories.access(directoryId))) return;
  throw notFound('Directory not found.');
}

const LOOKUPS = {
  role: 'role',
  userName: 'userName',
  email: 'email',
  external_id: 'externalId',
} as const satisfies Record<keyof UserLookups, UserLookup['by']>;

function lookupOf(options: UserLookups | undefined): UserLookup | undefined {
  const input = InputReader.ofQuery(options ?? {});
  const names = Object.keys(LOOKUPS) as (keyof UserLookups)[];
  const [name, ...others] = names.filter((each) => input.isPresent(each));
  if (name === undefined) return undefined;
  others.forEach((each) => input.addViolation(each, `cannot be combined with ${name}`, undefined));
  const value = input.requiredText(name, { max: LOOKUP_CHARACTERS_MAX });
  input.throwIfInvalid();
  return { by: LOOKUPS[name], value };
}
