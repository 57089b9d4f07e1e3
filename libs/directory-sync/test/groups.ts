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
