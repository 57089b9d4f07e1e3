import { isUuid } from '@gatehouse/kit/ids';
import { type ScopeFilter } from '../../directories/directory.sql.js';
import { findGroupRecord, listGroupRecords } from '../../groups/group.repository.js';
import { type DirectoryGroup, type GroupRecord, type MemberRow } from '../../groups/group.types.js';
import {
  firstMembersOfGroups,
  membersOfGroups,
  userIdsOfGroup,
} from '../../groups/member.repository.js';
import { type Page, pageOf, type PageOf } from '../page.input.js';
import { notFound } from '../../sync.errors.js';
import { narrowed } from '../directories/scope.input.js';
import { type RecordsContext, requireDirectory } from './users.js';

/** The members that a list shows of each group. */
const LISTED_MEMBERS_MAX = 200;

/** A handle of the `groups` operations of the controller object: those of one scope. */
export class ScopedGroups {
  constructor(
    private readonly context: RecordsContext,
    private readonly scope: () => ScopeFilter,
  ) {}

  /**
   * Newest first; 50 unless `pageLimit` says otherwise. `raw` has the first 200 members, and
   * `members_total` is their number. 400 for a bad page or scope, 404 for an unknown `directoryId`.
   */
  async getAll(options: Page & { directoryId?: string } = {}): Promise<DirectoryGroup[]> {
    return (await this.getPage(options)).items;
  }

  /** As `getAll`, with the offset of the next page. A page of large groups ends early. */
  async getPage(options: Page & { directoryId?: string } = {}): Promise<PageOf<DirectoryGroup>> {
    const { sql, pageBytesMax: bytesMax } = this.context;
    const { offset, limit } = pageOf(options);
    const scope = narrowed(this.scope(), options?.directoryId);
    const page = { offset, limit, bytesMax };
    const { rows, hasMore } = await listGroupRecords(sql, scope, page, LISTED_MEMBERS_MAX);
    if (rows.length === 0) await requireDirectory(this.context.directories, scope);
    const filled = rows.filter(({ memberCount }) => memberCount > 0);
    const members =
      filled.length === 0 ? undefined : await firstMembersOfGroups(sql, filled, LISTED_MEMBERS_MAX);
    const items = rows.map((row) => listedGroup(row, members?.get(row.id) ?? []));
    return { items, nextOffset: hasMore ? offset + rows.length : null };
  }

  /** A group with its users; `raw` lists member groups too. 404 for an unknown group. */
  async get(id: string): Promise<DirectoryGroup> {
    const record = await this.require(id);
    const { sql } = this.context;
    const members = (await membersOfGroups(sql, record.directoryId, [id])).get(id) ?? [];
    const view = groupView(record);
    return {
      ...view,
      raw: { ...view.raw, members: members.map(memberView) },
      members: members
        .filter(({ type }) => type === 'User')
        .map(({ value }) => ({ group_id: id, user_id: value })),
    };
  }

  /** User ids of a group, newest first. */
  async getGroupMembers(options: { groupId: string } & Page): Promise<{ user_id: string }[]> {
    return (await this.getGroupMembersPage(options)).items;
  }

  /** As `getGroupMembers`, with the offset of the next page. */
  async getGroupMembersPage(
    options: { groupId: string } & Page,
  ): Promise<PageOf<{ user_id: string }>> {
    const { offset, limit } = pageOf(options);
    const { id, directoryId } = await this.require(options?.groupId);
    const { sql } = this.context;
    const userIds = await userIdsOfGroup(sql, directoryId, id, offset, limit + 1);
    const items = userIds.slice(0, limit).map((userId) => ({ user_id: userId }));
    return { items, nextOffset: userIds.length > limit ? offset + limit : null };
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
  return {
    ...view,
    raw: { ...view.raw, members: members.map(memberView) },
    members_total: row.memberCount,
  };
}

function memberView({ value, display }: MemberRow) {
  return { value, display: display ?? '' };
}

function groupView({ id, directoryId, displayName, raw }: GroupRecord): DirectoryGroup {
  return { id, directory_id: directoryId, name: displayName, raw: { ...raw, id } };
}
