import { type DirectoryApi } from './directory-api.js';
import { type DirectoryEvent, type DirectoryGroup, type DirectoryUser } from './directory-event.js';

/**
 * What is in the directories now, as events: of each directory the groups, then each user with its memberships.
 * The log, from an event before the snapshot on, shows what has changed meanwhile.
 */
export async function* snapshotOf(api: DirectoryApi): AsyncGenerator<DirectoryEvent, void> {
  for await (const { id: directoryId, tenant, product } of api.directories()) {
    const origin = { tenant, product, directory_id: directoryId, sequence: 0 };
    const envelope = { ...origin, created_at: new Date().toISOString(), snapshot: true } as const;
    const groups = new Map<string, DirectoryGroup>();
    for await (const { id, name, raw } of api.list<DirectoryGroup>('/groups', { directoryId })) {
      const data = { id, name, raw: without(raw, 'members') };
      groups.set(id, data);
      yield { ...envelope, event: 'group.created', id, data };
    }
    for await (const listed of api.list<DirectoryUser>('/users', { directoryId })) {
      const { id, raw } = listed;
      const data = { ...without(listed, 'directory_id'), raw: without(raw, 'groups') };
      yield { ...envelope, event: 'user.created', id, data };
      for (const { value } of raw.groups as readonly { value: string }[]) {
        const group = groups.get(value);
        // The log has a group that was created after the groups were listed.
        if (group) yield { ...envelope, event: 'group.user_added', id, data: { ...data, group } };
      }
    }
  }
}

function without<Resource extends object>(resource: Resource, member: string): Resource {
  const rest = { ...resource };
  delete rest[member as keyof Resource];
  return rest;
}
