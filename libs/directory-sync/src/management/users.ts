import type { Executor } from '../database/database.js';
import { pageOf } from './directory.input.js';
import type { Page } from '../directories/directory.types.js';
import { type ScopeFilter, scopeFilter } from '../directories/scope.js';
import { notFound, type Result, resultOf, type SyncLogger } from './result.js';
import { isUuid } from '../database/uuid.js';
import { customAttributes } from '../directories/custom-attributes.js';
import type { DirectoryUser } from '../users/user.types.js';
import {
  findUserRecord,
  listUserRecords,
  type UserRecord,
} from '../users/user-records.repository.js';

export interface RecordsContext {
  executor: Executor;
  logger: SyncLogger;
}

/** The `users` operations of the controller object. */
export class Users {
  constructor(private readonly context: RecordsContext) {}

  /** Users of one tenant and product; the handle is a new object that nothing else shares. */
  setTenantAndProduct(tenant: string, product: string): ScopedUsers {
    return new ScopedUsers(this.context, () => scopeFilter({ tenant, product }));
  }

  /** Users of any scope: of a tenant and product, of a directory, or of both. */
  inScope(scope: { tenant?: string; product?: string; directoryId?: string }): ScopedUsers {
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
      const records = await listUserRecords(this.context.executor, scope, offset, limit);
      return records.map(userView);
    });
  }

  /** 404 "User not found". */
  get(id: string): Promise<Result<DirectoryUser>> {
    return resultOf(this.context.logger, async () => {
      const scope = this.scope();
      const record = isUuid(id)
        ? await findUserRecord(this.context.executor, scope, id)
        : undefined;
      if (!record) throw notFound('User not found');
      return userView(record);
    });
  }
}

/** A scope with a directory on top, where one is given. */
export function narrowed(scope: ScopeFilter, directoryId: string | undefined): ScopeFilter {
  if (directoryId === undefined || directoryId === '') return scope;
  return { ...scope, directoryId: scopeFilter({ directoryId }).directoryId };
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
