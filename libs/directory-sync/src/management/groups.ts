import { isUuid } from '@gatehouse/kit/ids';
import { type ScopeFilter } from '../directories/directory.sql.js';
import { findGroupRecord, listGroupRecords } from '../groups/group.repository.js';
import { type DirectoryGroup, type GroupRecord, type MemberRow } from '../groups/group.types.js';
import {
  firstMembersOfGroups,
  membersOfGroups,
  userIdsOfGroup,
} from '../groups/member.repository.js';
import { type Page, pageOf, type PageOf } from './page.input.js';
import { itemsOf, notFound, type Result, resultOf } from './result.js';
import { narrowed, type Scope, scopeFilter } from './scope.input.js';
import { type RecordsContext } from './users.js';

/** The members that a list shows of each group. */
const LISTED_MEMBERS_MAX = 200;

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

  /**
   * Newest first; 50 unless `pageLimit` says otherwise. `raw` has the first 200 members and their
   * number. 400 for a bad page or scope.
   */
  getAll(options: Page & { directoryId?: string } = {}): Promise<Result<DirectoryGroup[]>> {
    return itemsOf(this.getPage(options));
  }

  /** As `getAll`, with the offset of the next page. A page of large groups ends early. */
  getPage(options: Page & { directoryId?: string } = {}): Promise<Result<PageOf<DirectoryGroup>>> {
    const { sql, pageBytesMax: bytesMax } = this.context;
    return resultOf(this.context.logger, async () => {
      const { offset, limit } = pageOf(options);
      const scope = narrowed(this.scope(), options?.directoryId);
      const page = { offset, limit, bytesMax };
      const { rows, hasMore } = await listGroupRecords(sql, scope, page, LISTED_MEMBERS_MAX);
      const ids = rows.filter(({ memberCount }) => memberCount > 0).map(({ id }) => id);
      const members =
        ids.length === 0 ? undefined : await firstMembersOfGroups(sql, ids, LISTED_MEMBERS_MAX);
      const items = rows.map((row) => listedGroup(row, members?.get(row.id) ?? []));
      return { items, nextOffset: hasMore ? offset + rows.length : null };
    });
  }

  /** A group with its users; `raw` lists member groups too. 404 for an unknown group. */
  get(id: string): Promise<Result<DirectoryGroup>> {
    return resultOf(this.context.logger, async () => {
      const record = await this.require(id);
      const { sql } = this.context;
      const members = (await membersOfGroups(sql, [id])).get(id) ?? [];
      const view = groupView(record);
      return {
        ...view,
        raw: { ...view.raw, members: members.map(memberView) },
        members: members
          .filter(({ type }) => type === 'User')
          .map(({ value }) => ({ group_id: id, user_id: value })),
      };
    });
  }

  /** User ids of a group, newest first. */
  getGroupMembers(options: { groupId: string } & Page): Promise<Result<{ user_id: string }[]>> {
    return itemsOf(this.getGroupMembersPage(options));
  }

  /** As `getGroupMembers`, with the offset of the next page. */
  getGroupMembersPage(
    options: { groupId: string } & Page,
  ): Promise<Result<PageOf<{ user_id: string }>>> {
    return resultOf(this.context.logger, async () => {
      const { offset, limit } = pageOf(options);
      const { id } = await this.require(options?.groupId);
      const userIds = await userIdsOfGroup(this.context.sql, id, offset, limit + 1);
      const items = userIds.slice(0, limit).map((userId) => ({ user_id: userId }));
      return { items, nextOffset: userIds.length > limit ? offset + limit : null };
    });
  }

  private async require(id: string): Promise<GroupRecord> {
    const scope = this.scope();
    const record = isUuid(id) ? await findGroupRecord(this.context.sql, scope, id) : undefined;
    if (!record) throw notFound(`Group with id ${String(id).slice(0, 64)} not found.`);
    return record;
  }
}

function listedGroup(row: GroupRecord, members: readonly MemberRow[]): DirectoryGroup {
  const view = groupView(row);
  const shown = { members: members.map(memberView), members_total: row.memberCount };
  return { ...view, raw: { ...view.raw, ...shown } };
}

function memberView({ value, display }: MemberRow) {
  return { value, display: display ?? '' };
}

function groupView({ id, displayName, raw }: GroupRecord): DirectoryGroup {
  return { id, name: displayName, raw: { ...raw, id } };
}
