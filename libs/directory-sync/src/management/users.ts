import type { SqlExecutor } from '@gatehouse/service-kit';
import { isUuid } from '../database/uuid.js';
import { customAttributes } from '../directories/custom-attributes.js';
import type { ScopeFilter } from '../directories/directory.sql.js';
import type { SyncLogger } from '../sync-logger.js';
import { findUserRecord, listUserRecords } from '../users/user.repository.js';
import type { DirectoryUser, UserRecord } from '../users/user.types.js';
import { type Page, pageOf } from './page.input.js';
import { notFound, type Result, resultOf } from './result.js';
import { narrowed, type Scope, scopeFilter } from './scope.input.js';

export interface RecordsContext {
  sql: SqlExecutor;
  logger: SyncLogger;
}

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

  /** Newest first. 400 for a bad page or scope. */
  getAll(options: Page & { directoryId?: string } = {}): Promise<Result<DirectoryUser[]>> {
    return resultOf(this.context.logger, async () => {
      const { offset, limit } = pageOf(options);
      const scope = narrowed(this.scope(), options?.directoryId);
      const records = await listUserRecords(this.context.sql, scope, offset, limit);
      return records.map(userView);
    });
  }

  /** 404 "User not found". */
  get(id: string): Promise<Result<DirectoryUser>> {
    return resultOf(this.context.logger, async () => {
      const scope = this.scope();
      const record = isUuid(id) ? await findUserRecord(this.context.sql, scope, id) : undefined;
      if (!record) throw notFound('User not found');
      return userView(record);
    });
  }
}

function userView(record: UserRecord): DirectoryUser {
  const custom = customAttributes(record.raw, record.attributeMapping);
  return {
    id: record.id,
    first_name: record.firstName ?? '',
    last_name: record.lastName ?? '',
    email: record.email ?? '',
    active: record.active,
    raw: { ...record.raw, id: record.id },
    ...(custom === undefined ? {} : { custom_attributes: custom }),
  };
}
