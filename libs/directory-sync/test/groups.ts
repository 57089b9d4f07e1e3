import { type Fixture } from './fixture.js';
import { group, type Json, patch, type TestDirectory, type TestSync, user } from './harness.js';

/** Creates users one after the other and returns their ids. */
export async function newUsers(directory: TestDirectory, ...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    ids.push((await directory.send('POST', '/Users', user(name))).data.id as string);
  }
  return ids;
}

export async function newGroup(
  directory: TestDirectory,
  displayName: string,
  memberIds: string[] = [],
): Promise<string> {
  const { status, data } = await directory.send('POST', '/Groups', group(displayName, memberIds));
  expect(status).toBe(201);
  return data.id as string;
}

/** Patches a group; the response must contain the group. */
export async function changeGroup(
  directory: TestDirectory,
  id: string,
  ...operations: object[]
): Promise<Json> {
  const { status, data } = await directory.send('PATCH', `/Groups/${id}`, patch(...operations));
  expect(status).toBe(200);
  return data;
}

export const memberIdsOf = ({ members }: Json): string[] =>
  members.map(({ value }: Json) => value as string);

export async function membersOf(directory: TestDirectory, id: string): Promise<string[]> {
  return memberIdsOf((await directory.send('GET', `/Groups/${id}`)).data);
}

/** The logged events about groups, in short form. */
export async function groupEvents(test: TestSync, directory: TestDirectory): Promise<string[]> {
  return (await test.eventsOf(directory))
    .filter(({ event }) => event.startsWith('group.'))
    .map(({ event, data }: Json) => {
      const subject = event.startsWith('group.user_')
        ? `${data.raw.userName} ${data.group.name}`
        : data.name;
      return `${event} ${subject}`;
    });
}

/** Fills a group by SQL, because creating users one by one would take long. */
export async function fillGroup(fixture: Fixture, groupId: string, count: number): Promise<void> {
  await fixture.database.query(
    `WITH made AS (
        INSERT INTO dsync.users
          (directory_id, id, user_name, user_name_lower, emails_lower, active, raw)
        SELECT $1, dsync.uuid_v7(), 'filler-' || n, 'filler-' || n, '{}', true,
          jsonb_build_object('userName', 'filler-' || n)
        FROM generate_series(1, $3::integer) n RETURNING id),
      joined AS (
        INSERT INTO dsync.group_members (directory_id, group_id, user_id)
        SELECT $1, $2, id FROM made)
      UPDATE dsync.groups SET member_count = member_count + $3::integer WHERE id = $2`,
    [fixture.directory.id, groupId, count],
  );
  await fixture.database.query('ANALYZE dsync.group_members');
}
