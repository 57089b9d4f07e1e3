/** Changes of users, groups and memberships, one after another; those that are not answered are left. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDirectory, user } from '../sync-stack.js';

const GROUP = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'] };
const PATCH = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] };
const KEPT = 20;
const RETRY_MS = 50;

export async function changeAtRandom(
  { scim }: TestDirectory,
  isOver: () => boolean,
): Promise<void> {
  const users: string[] = [];
  const groups: string[] = [];
  const pick = (ids: readonly string[]) => ids[Math.floor(Math.random() * ids.length)] ?? '';
  const create = async (path: string, ids: string[], content: object) => {
    const { status, body } = await scim('POST', path, content);
    if (status === 201) ids.push(body.id as string);
  };
  const patch = (path: string, operation: object) =>
    scim('PATCH', path, { ...PATCH, Operations: [operation] });
  const removeOldest = (path: string, ids: string[]) => scim('DELETE', `${path}/${ids.shift()}`);

  const changes: ((name: string) => Promise<unknown>)[] = [
    (name) => create('/Users', users, user(name, { emails: [{ value: `${name}@example.com` }] })),
    (name) =>
      create('/Groups', groups, { ...GROUP, displayName: name, members: [{ value: pick(users) }] }),
    () =>
      patch(`/Users/${pick(users)}`, { op: 'replace', path: 'active', value: Math.random() > 0.5 }),
    (name) => patch(`/Groups/${pick(groups)}`, { op: 'replace', path: 'displayName', value: name }),
    () =>
      patch(`/Groups/${pick(groups)}`, {
        op: 'add',
        path: 'members',
        value: [{ value: pick(users) }],
      }),
    () =>
      patch(`/Groups/${pick(groups)}`, {
        op: 'remove',
        path: `members[value eq "${pick(users)}"]`,
      }),
    async () => (users.length > KEPT ? removeOldest('/Users', users) : undefined),
    async () => (groups.length > KEPT ? removeOldest('/Groups', groups) : undefined),
  ];
  for (let number = 0; !isOver(); number += 1) {
    const change = changes[number % changes.length];
    await change?.(`name-${number}`).catch((error: Error) => {
      // The TypeError of `fetch` belongs to another realm than that of a test.
      if (error.name !== 'TypeError') throw error;
      return sleep(RETRY_MS);
    });
  }
}
