import { type TestDatabase } from '@gatehouse/testing';
import {
  createSyncDatabase,
  openSync,
  type TestDirectory,
  type TestSync,
  user,
} from '../harness.js';

/** Room for 327 members of 200 bytes. */
const PAGE_BYTES_MAX = 65_536;
const MEMBERS = 400;

let database: TestDatabase;
let test: TestSync;
let directory: TestDirectory;
let large: string;
let small: string;

beforeAll(async () => {
  database = await createSyncDatabase();
  test = await openSync(database.url, { limits: { pageBytesMax: PAGE_BYTES_MAX } });
  directory = await test.newDirectory();
  const created = Array.from({ length: MEMBERS }, (_, n) =>
    directory.send('POST', '/Users', user(`user-${n}`)),
  );
  const members = (await Promise.all(created)).map(({ data }) => ({ value: data.id as string }));
  const group = async (displayName: string, count: number): Promise<string> => {
    const content = { displayName, members: members.slice(0, count) };
    return (await directory.send('POST', '/Groups', content)).data.id;
  };
  small = await group('small', 300);
  large = await group('large', MEMBERS);
});

afterAll(async () => {
  await test.close();
  await database.drop();
});

it('400 tooMany: a group whose members exceed a page, alone and in a list, says how to read it', async () => {
  const filter = encodeURIComponent('displayName eq "large"');
  for (const path of [`/Groups/${large}`, `/Groups?filter=${filter}`]) {
    const { status, data: body } = await directory.send('GET', path);
    expect([status, body.scimType]).toEqual([400, 'tooMany']);
    expect(body.detail).toContain(large);
    expect(body.detail).toContain('excludedAttributes=members');
    expect(body.detail).toContain(`groups.value eq "${large}"`);
  }
});

it('200: the same group without its members, its users by a filter, and a smaller group', async () => {
  const without = await directory.send('GET', `/Groups/${large}?excludedAttributes=members`);
  expect([without.status, without.data.displayName]).toEqual([200, 'large']);
  const filter = encodeURIComponent(`groups.value eq "${large}"`);
  const users = await directory.send('GET', `/Users?count=1&filter=${filter}`);
  expect([users.status, users.data.totalResults]).toEqual([200, MEMBERS]);
  const { status, data: body } = await directory.send('GET', `/Groups/${small}`);
  expect([status, body.members.length]).toEqual([200, 300]);
});

it('204: a PATCH of the group succeeds without its members, also where they are asked for', async () => {
  const content = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'displayName', value: 'renamed' }],
  };
  const path = `/Groups/${large}?attributes=members`;
  expect((await directory.send('PATCH', path, content)).status).toBe(204);
  const { data: body } = await directory.send('GET', `/Groups/${large}?attributes=displayName`);
  expect(body.displayName).toBe('renamed');
});
