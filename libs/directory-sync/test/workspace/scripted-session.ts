import {
  type Page,
  UNKNOWN_CHANGES,
  type WorkspaceGroup,
  type WorkspaceMember,
  type WorkspaceSession,
  type WorkspaceUser,
} from '@gatehouse/workspace-providers';

/** A workspace that a test changes as it likes; `failure` is thrown by the next calls. */
export class ScriptedWorkspace {
  users: WorkspaceUser[] = [];
  groups: WorkspaceGroup[] = [];
  members = new Map<string, WorkspaceMember[]>();
  pageSize = 2;
  calls = 0;
  /** Called before each page, with the number of the call. */
  beforeCall: (call: number) => unknown = () => undefined;

  addUser(id: string, more: Record<string, unknown> = {}, orgUnit: string | null = '/'): void {
    const userName = `${id}@example.com`;
    const name = { givenName: id, familyName: 'Test' };
    const resource = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
      externalId: id,
      name,
      active: true,
      ...more,
    } as WorkspaceUser['resource'];
    this.users = [...this.users.filter((user) => user.id !== id), { id, resource, orgUnit }];
  }

  addGroup(id: string, members: readonly string[] = [], displayName = id): void {
    const resource = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName,
      externalId: id,
    } as WorkspaceGroup['resource'];
    const email = `${id}@groups.example.com`;
    this.groups = [...this.groups.filter((group) => group.id !== id), { id, resource, email }];
    const isGroup = (member: string) => this.groups.some((group) => group.id === member);
    this.members.set(
      id,
      members.map((member) => ({ id: member, kind: isGroup(member) ? 'group' : 'user' })),
    );
  }

  removeUser(id: string): void {
    this.users = this.users.filter((user) => user.id !== id);
    for (const [group, members] of this.members) {
      this.members.set(
        group,
        members.filter((member) => member.id !== id),
      );
    }
  }

  removeGroup(id: string): void {
    this.groups = this.groups.filter((group) => group.id !== id);
    this.members.delete(id);
  }

  session(): WorkspaceSession {
    return {
      listUsers: (page) => this.page(() => this.users, page),
      listGroups: (page) => this.page(() => this.groups, page),
      listMembers: (group, page) => this.page(() => this.members.get(group) ?? [], page),
      changesSince: () => Promise.resolve(UNKNOWN_CHANGES),
    };
  }

  private async page<Item>(list: () => readonly Item[], token: string | null): Promise<Page<Item>> {
    this.calls += 1;
    await this.beforeCall(this.calls);
    const items = list();
    const start = Number(token ?? 0);
    const end = start + this.pageSize;
    return {
      items: items.slice(start, end),
      next: end < items.length ? String(end) : null,
      calls: 1,
    };
  }
}
