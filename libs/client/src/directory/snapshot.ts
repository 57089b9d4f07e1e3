import { type DirectoryApi } from './directory-api.js';
import { type DirectoryEvent, type DirectoryGroup, type DirectoryUser } from './directory-event.js';

/** As the API lists it: with its directory, and with its groups of this moment. */
interface ListedUser extends DirectoryUser {
  readonly directory_id: string;
  readonly raw: DirectoryUser['raw'] & { readonly groups: readonly { readonly value: string }[] };
}

/**
 * What is in the directories now, as events: of each directory the groups, then each user with its memberships.
 * The log, from an event before the snapshot on, shows what has changed meanwhile.
 */
export async function* snapshotOf(api: DirectoryApi): AsyncGenerator<DirectoryEvent, void> {
  for await (const { id: directory_id, tenant, product } of api.directories()) {
    const origin = { tenant, product, directory_id, sequence: 0 };
    const envelope = { ...origin, created_at: new Date().toISOString(), snapshot: true } as const;
    const query = { directoryId: directory_id };
    const groups = new Map<string, DirectoryGroup>();
    for await (const listed of api.list<DirectoryGroup>('/groups', query)) {
      const group = groupOf(listed);
      groups.set(group.id, group);
      yield { ...envelope, event: 'group.created', id: group.id, data: group };
    }
    for await (const listed of api.list<ListedUser>('/users', query)) {
      const user = userOf(listed);
      yield { ...envelope, event: 'user.created', id: user.id, data: user };
      for (const { value } of listed.raw.groups) {
        const group = groups.get(value);
        // The log has a group that was created after the groups were listed.
        if (!group) continue;
        yield { ...envelope, event: 'group.user_added', id: user.id, data: { ...user, group } };
      }
    }
  }
}

function groupOf({ id, name, raw: { members: _, ...raw } }: DirectoryGroup): DirectoryGroup {
  return { id, name, raw };
}

function userOf({ directory_id: _, ...user }: ListedUser): DirectoryUser {
  // Events have the groups that the provider sent with the user, which are not stored.
  return { ...user, raw: { ...user.raw, groups: [] } };
}
