import { type Fixture } from '../fixture.js';
import { type Json, type TestDirectory } from '../harness.js';

export type Rule = { group: object; role: string; priority?: number };

/** Sets the mapping of a directory and waits until it is applied. */
export async function mapRoles(
  { test }: Fixture,
  { id }: TestDirectory,
  mapping: { default_role?: string; mode?: string; rules: Rule[] },
): Promise<Json> {
  const { error } = await test.sync.roleMappings.put(id, mapping);
  expect(error).toBeNull();
  await test.sync.roleJobs.run(id, 60_000);
  const { data } = await test.sync.roleMappings.get(id);
  expect(data?.progress.state).toBe('applied');
  return data;
}

/** The roles that the management API shows, by userName. */
export async function rolesOf(
  { test }: Fixture,
  { id }: TestDirectory,
): Promise<Record<string, string[] | undefined>> {
  const { data } = await test.sync.users.inScope({ directoryId: id }).getAll({ pageLimit: 1_000 });
  const entries = (data ?? []).map(({ raw, roles }) => [raw.userName as string, roles]);
  return Object.fromEntries(entries) as Record<string, string[] | undefined>;
}

/** The roles that a receiver knows after all events, by user id. */
export async function replayedRoles(
  { test }: Fixture,
  directory: TestDirectory,
): Promise<Record<string, string[]>> {
  const roles: Record<string, string[]> = {};
  for (const { event, data } of (await test.eventsOf(directory)) as Json[]) {
    if (event === 'user.created') roles[data.id] = data.roles ?? [];
    if (event === 'user.deleted') delete roles[data.id];
    if (event === 'user.roles_changed') {
      expect(data.previous).toEqual(roles[data.id] ?? []);
      expect(data.current).not.toEqual(data.previous);
      roles[data.id] = data.current;
    }
    // Every other event of a user shows the roles of its time.
    else if (event !== 'user.created' && data.roles) {
      expect(data.roles).toEqual(roles[data.id] ?? data.roles);
    }
  }
  return roles;
}

/** The short form of the events about roles. */
export async function roleEvents({ test }: Fixture, directory: TestDirectory): Promise<string[]> {
  return ((await test.eventsOf(directory)) as Json[])
    .filter(({ event }) => event === 'user.roles_changed')
    .map(({ data }) => `${data.email}: ${data.previous.join(' ')} -> ${data.current.join(' ')}`);
}
