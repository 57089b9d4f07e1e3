import { isUuid } from '@gatehouse/kit/ids';
import { InputReader } from '@gatehouse/kit/input';
import { type ScopeFilter } from '../../directories/directory.sql.js';
import { findGroupRecord, listGroupRecords } from '../../groups/group.repository.js';
import {
  type DirectoryGroup,
  type GroupMember,
  type GroupRecord,
  type MemberRow,
} from '../../groups/group.types.js';
import {
  firstMembersOfGroups,
  listMembers,
  membersOfGroups,
} from '../../groups/member.repository.js';
import { type Page, pageOf, type PageOf } from '../page.input.js';
import { notFound } from '../../sync.errors.js';
import { narrowed } from '../directories/scope.input.js';
import { type RecordsContext, requireDirectory } from './users.js';

/** The members that a list shows of each group. */
const LISTED_MEMBERS_MAX = 200;

type MembersPage = Page & {
  groupId: string;
  /** Also the groups inside the group. */
  groups?: boolean;
  /** The id of the last member that was read, which costs less than a large offset. */
  after?: string;
};

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

  /**
   * A group with its users; `raw` lists member groups too. With `members: false`, their number only. 404 for
   * an unknown group.
   */
  async get(id: string, options: { members?: boolean } = {}): Promise<DirectoryGroup> {
    const input = InputReader.ofQuery(options ?? {});
    const showsMembers = input.boolean('members') ?? true;
    input.throwIfInvalid();
    const record = await this.require(id);
    if (!showsMembers) return { ...groupView(record), members_total: record.memberCount };
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

  /** Members of a group, newest first: users only, unless `groups` is true. */
  async getGroupMembers(options: MembersPage): Promise<GroupMember[]> {
    return (await this.getGroupMembersPage(options)).items;
  }

  /** As `getGroupMembers`, with the offset of the next page. */
  async getGroupMembersPage(options: MembersPage): Promise<PageOf<GroupMember>> {
    const { offset, limit } = pageOf(options);
    const input = InputReader.ofQuery(options ?? {});
    const withGroups = input.boolean('groups') ?? false;
    const after = input.text('after') || undefined;
    if (after !== undefined && !isUuid(after)) {
      input.addViolation('after', 'must be the id of a member', undefined);
    }
    input.throwIfInvalid();
    const id = options?.groupId;
    const page = { withGroups, after, offset, limit: limit + 1 };
    const rows = isUuid(id) ? await listMembers(this.context.sql, this.scope(), id, page) : [];
    if (rows.length === 0) await this.require(id);
    const items = rows.slice(0, limit).map(listedMember);
    return { items, nextOffset: rows.length > limit ? offset + limit : null };
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

function listedMember({ value, type, display }: MemberRow): GroupMember {
  return { [type === 'User' ? 'user_id' : 'group_id']: value, name: display ?? '' };
}

function memberView({ value, display }: MemberRow) {
  return { value, display: display ?? '' };
}

function groupView({ id, directoryId, displayName, raw }: GroupRecord): DirectoryGroup {
  return { id, directory_id: directoryId, name: displayName, raw: { ...raw, id } };
}
