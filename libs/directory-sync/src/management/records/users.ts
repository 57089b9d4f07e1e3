import { deriveRoles } from '@gatehouse/scim';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader } from '@gatehouse/kit/input';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { customAttributes } from '../../directories/custom-attributes.js';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import { type ScopeFilter } from '../../directories/directory.sql.js';
import { scimPath } from '../../directories/directory.view.js';
import { groupReferences } from '../../users/group-references.js';
import { findUserRecord, listUserRecords } from '../../users/user.repository.js';
import { type DirectoryUser, type UserRecord } from '../../users/user.types.js';
import { type Page, pageOf, type PageOf } from '../page.input.js';
import { notFound } from '../../sync.errors.js';
import { narrowed } from '../directories/scope.input.js';

export interface RecordsContext {
  sql: SqlExecutor;
  directories: Pick<DirectoryRepository, 'access'>;
  externalUrl: string;
  pageBytesMax: number;
}

type UsersPage = Page & { directoryId?: string; role?: string };

/** A handle of the `users` operations of the controller object: those of one scope. */
export class ScopedUsers {
  constructor(
    private readonly context: RecordsContext,
    private readonly scope: () => ScopeFilter,
  ) {}

  /**
   * Newest first; 50 unless `pageLimit` says otherwise. With `role`, those that have it by the role
   * mapping of their directory. 400 for a bad page, scope or role, 404 for an unknown `directoryId`.
   */
  async getAll(options: UsersPage = {}): Promise<DirectoryUser[]> {
    return (await this.getPage(options)).items;
  }

  /** As `getAll`, with the offset of the next page. A page of large users ends early. */
  async getPage(options: UsersPage = {}): Promise<PageOf<DirectoryUser>> {
    const { sql, pageBytesMax: bytesMax } = this.context;
    const { offset, limit } = pageOf(options);
    const scope = narrowed(this.scope(), options?.directoryId);
    const page = { offset, limit, bytesMax };
    const { rows, hasMore } = await listUserRecords(sql, scope, page, roleOf(options?.role));
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

function roleOf(role: unknown): string | undefined {
  if (role === undefined) return undefined;
  const input = InputReader.of({ role });
  const text = input.requiredText('role');
  input.throwIfInvalid();
  return text;
}
