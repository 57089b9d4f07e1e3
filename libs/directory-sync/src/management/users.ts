import { deriveRoles } from '@gatehouse/scim';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader } from '@gatehouse/kit/input';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { customAttributes } from '../directories/custom-attributes.js';
import { type ScopeFilter } from '../directories/directory.sql.js';
import { scimPath } from '../directories/directory.view.js';
import { type SyncLogger } from '../sync-logger.js';
import { groupReferences } from '../users/group-references.js';
import { findUserRecord, listUserRecords } from '../users/user.repository.js';
import { type DirectoryUser, type UserRecord } from '../users/user.types.js';
import { type Page, pageOf, type PageOf } from './page.input.js';
import { itemsOf, notFound, type Result, resultOf } from './result.js';
import { narrowed, type Scope, scopeFilter } from './scope.input.js';

export interface RecordsContext {
  sql: SqlExecutor;
  externalUrl: string;
  pageBytesMax: number;
  logger: SyncLogger;
}

type UsersPage = Page & { directoryId?: string; role?: string };

/** The `users` operations of the controller object. */
export class Users {
  constructor(private readonly context: RecordsContext) {}

  /** Users of one tenant and product. Each call returns an independent handle. */
  setTenantAndProduct(tenant: string, product: string): ScopedUsers {
    return new ScopedUsers(this.context, () => scopeFilter({ tenant, product }));
  }

  /** Users of a tenant and product, of a directory, or of both. */
  inScope(scope: Scope): ScopedUsers {
    return new ScopedUsers(this.context, () => scopeFilter(scope));
  }
}

export class ScopedUsers {
  constructor(
    private readonly context: RecordsContext,
    private readonly scope: () => ScopeFilter,
  ) {}

  /**
   * Newest first; 50 unless `pageLimit` says otherwise. With `role`, those that have it by the role
   * mapping of their directory. 400 for a bad page, scope or role.
   */
  getAll(options: UsersPage = {}): Promise<Result<DirectoryUser[]>> {
    return itemsOf(this.getPage(options));
  }

  /** As `getAll`, with the offset of the next page. A page of large users ends early. */
  getPage(options: UsersPage = {}): Promise<Result<PageOf<DirectoryUser>>> {
    const { sql, pageBytesMax: bytesMax } = this.context;
    return resultOf(this.context.logger, async () => {
      const { offset, limit } = pageOf(options);
      const scope = narrowed(this.scope(), options?.directoryId);
      const page = { offset, limit, bytesMax };
      const { rows, hasMore } = await listUserRecords(sql, scope, page, roleOf(options?.role));
      return {
        items: rows.map((row) => this.view(row)),
        nextOffset: hasMore ? offset + rows.length : null,
      };
    });
  }

  /** 404 "User not found". */
  get(id: string): Promise<Result<DirectoryUser>> {
    return resultOf(this.context.logger, async () => {
      const scope = this.scope();
      const record = isUuid(id) ? await findUserRecord(this.context.sql, scope, id) : undefined;
      if (!record) throw notFound('User not found');
      return this.view(record);
    });
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

function roleOf(role: unknown): string | undefined {
  if (role === undefined) return undefined;
  const input = InputReader.of({ role });
  const text = input.requiredText('role');
  input.throwIfInvalid();
  return text;
}
