import { pageOf } from './directory.input.js';
import type { Page } from '../directories/directory.types.js';
import { type ScopeFilter, scopeFilter } from '../directories/scope.js';
import { notFound, type Result, resultOf } from './result.js';
import { narrowed, type RecordsContext } from './users.js';
import { isUuid } from '../database/uuid.js';
import type { DirectoryGroup } from '../groups/group.types.js';
import {
  findGroupRecord,
  type GroupRecord,
  listGroupRecords,
} from '../groups/group-records.repository.js';
import { membersOfGroups, userIdsOfGroup } from '../groups/member.repository.js';

/** The `groups` operations of the controller object. */
export class Groups {
  constructor(private readonly context: RecordsContext) {}

  /** Groups of one tenant and product; the handle is a new object that nothing else shares. */
  setTenantAndProduct(tenant: string, product: string): ScopedGroups {
    return new ScopedGroups(this.context, () => scopeFilter({ tenant, product }));
  }

  /** Groups of any scope: of a tenant and product, of a directory, or of both. */
  inScope(scope: { tenant?: string; product?: string; directoryId?: string }): ScopedGroups {
    return new ScopedGroups(this.context, () => scopeFilter(scope));
  }
}

export class ScopedGroups {
  constructor(
    private readonly context: RecordsContext,
    private readonly scope: () => ScopeFilter,
  ) {}

  /** Newest first, without members. 400 for a bad page or scope. */
  getAll(options: Page & { directoryId?: string } = {}): Promise<Result<DirectoryGroup[]>> {
    return resultOf(this.context.logger, async () => {
      const { offset, limit } = pageOf(options);
      const scope = narrowed(this.scope(), options?.directoryId);
      const records = await listGroupRecords(this.context.executor, scope, offset, limit);
      return records.map(groupView);
    });
  }

  /** The group with the users in it; `raw` shows member groups too. 404 "Group with id … not found." */
  get(id: string): Promise<Result<DirectoryGroup>> {
    return resultOf(this.context.logger, async () => {
      const record = await this.require(id);
      const { executor } = this.context;
      const members = (await membersOfGroups(executor, [id])).get(id) ?? [];
      const view = groupView(record);
      const shown = members.map(({ value, display }) => ({ value, display: display ?? '' }));
      return {
        ...view,
        raw: { ...view.raw, members: shown },
        members: members
          .filter(({ type }) => type === 'User')
          .map(({ value }) => ({ group_id: id, user_id: value })),
      };
    });
  }

  /** User ids of a group, newest first. */
  getGroupMembers(options: { groupId: string } & Page): Promise<Result<{ user_id: string }[]>> {
    return resultOf(this.context.logger, async () => {
      const { offset, limit } = pageOf(options);
      const { id } = await this.require(options?.groupId);
      const { executor } = this.context;
      const userIds = await userIdsOfGroup(executor, id, offset, limit);
      return userIds.map((userId) => ({ user_id: userId }));
    });
  }

  private async require(id: string): Promise<GroupRecord> {
    const scope = this.scope();
    const record = isUuid(id) ? await findGroupRecord(this.context.executor, scope, id) : undefined;
    if (!record) throw notFound(`Group with id ${String(id).slice(0, 64)} not found.`);
    return record;
  }
}

function groupView({ id, displayName, raw }: GroupRecord): DirectoryGroup {
  return { id, name: displayName, raw: { ...raw, id } };
}
