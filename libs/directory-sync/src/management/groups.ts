import { isUuid } from '../database/uuid.js';
import type { ScopeFilter } from '../directories/directory.sql.js';
import { findGroupRecord, listGroupRecords } from '../groups/group.repository.js';
import type { DirectoryGroup, GroupRecord } from '../groups/group.types.js';
import { membersOfGroups, userIdsOfGroup } from '../groups/member.repository.js';
import { type Page, pageOf } from './page.input.js';
import { notFound, type Result, resultOf } from './result.js';
import { narrowed, type Scope, scopeFilter } from './scope.input.js';
import type { RecordsContext } from './users.js';

/** The `groups` operations of the controller object. */
export class Groups {
  constructor(private readonly context: RecordsContext) {}

  /** Groups of one tenant and product. Each call returns an independent handle. */
  setTenantAndProduct(tenant: string, product: string): ScopedGroups {
    return new ScopedGroups(this.context, () => scopeFilter({ tenant, product }));
  }

  /** Groups of a tenant and product, of a directory, or of both. */
  inScope(scope: Scope): ScopedGroups {
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
      const records = await listGroupRecords(this.context.sql, scope, offset, limit);
      return records.map(groupView);
    });
  }

  /** A group with its users; `raw` lists member groups too. 404 for an unknown group. */
  get(id: string): Promise<Result<DirectoryGroup>> {
    return resultOf(this.context.logger, async () => {
      const record = await this.require(id);
      const { sql } = this.context;
      const members = (await membersOfGroups(sql, [id])).get(id) ?? [];
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
      const { sql } = this.context;
      const userIds = await userIdsOfGroup(sql, id, offset, limit);
      return userIds.map((userId) => ({ user_id: userId }));
    });
  }

  private async require(id: string): Promise<GroupRecord> {
    const scope = this.scope();
    const record = isUuid(id) ? await findGroupRecord(this.context.sql, scope, id) : undefined;
    if (!record) throw notFound(`Group with id ${String(id).slice(0, 64)} not found.`);
    return record;
  }
}

function groupView({ id, displayName, raw }: GroupRecord): DirectoryGroup {
  return { id, name: displayName, raw: { ...raw, id } };
}
