// Questions for changes against a server that answers delta queries of Microsoft Graph.
import { ENTRA_FAULTS, type FakeEntra, startFakeEntra } from '@gatehouse/testing';
import { createProviders, type Providers, type WorkspaceSession } from '../src/index.js';

let entra: FakeEntra;
let providers: Providers;
let session: WorkspaceSession;
let token: string;

beforeEach(async () => {
  entra = await startFakeEntra({ users: 50, groups: 3, membersPerGroup: 4 });
  providers = createProviders({
    policy: { allowPrivate: true },
    requestsPerSecond: 1_000,
    retryDelayMs: 1,
    entra: {
      clientId: entra.settings.WORKSPACE_ENTRA_CLIENT_ID,
      clientSecret: entra.settings.WORKSPACE_ENTRA_CLIENT_SECRET,
      loginUrl: entra.url,
      apiUrl: entra.settings.WORKSPACE_ENTRA_API_URL,
    },
  });
  const directory = { directoryId: 'd', domain: entra.tenant, administrator: null, tokens: null };
  session = providers.of('entra').open(directory);
  token = (await session.changesSince(null)).token ?? '';
});
afterEach(async () => {
  await providers.close();
  await entra.close();
});

const changed = (calls: number) => ({ hasChanged: true, token: expect.any(String), calls });

it('reads a token of the present state by two requests, without entries', async () => {
  expect(await session.changesSince(null)).toEqual(changed(2));
  const asked = entra.server.requestsOf('/delta').slice(-2);
  expect(asked.every((path) => path.endsWith('$deltatoken=latest'))).toBe(true);
});

it('says by two requests that nothing has changed, again and again', async () => {
  for (let times = 0; times < 3; times += 1) {
    const answer = await session.changesSince(token);
    expect(answer).toMatchObject({ hasChanged: false, calls: 2 });
    token = answer.token ?? '';
  }
  expect(entra.server.requestsOf('/members')).toHaveLength(0);
});

it.each<[string, (people: FakeEntra['people']) => void]>([
  ['a user was changed', ({ users }) => users.change(1, { title: 'Manager' })],
  ['a user was suspended', ({ users }) => users.change(1, { isSuspended: true })],
  ['a user was deleted', ({ users }) => users.remove(1)],
  ['a user was restored', ({ users }) => users.restore(1)],
  ['a group was renamed', ({ groups }) => groups.change(1, { name: 'Renamed' })],
  ['a group was deleted', ({ groups }) => groups.remove(1)],
  ['a member was added', (people) => people.setMembers('group-1', [])],
])('sees that %s, once', async (_, change) => {
  change(entra.people);
  const answer = await session.changesSince(token);
  expect(answer.hasChanged).toBe(true);
  expect(await session.changesSince(answer.token)).toMatchObject({ hasChanged: false });
});

it('does not see a change of what is not listed', async () => {
  entra.people.users.change(1, { orgUnit: '/Elsewhere' });
  expect(await session.changesSince(token)).toMatchObject({ hasChanged: false, calls: 2 });
});

it('stops at the first page with entries, however many there are', async () => {
  for (let number = 0; number < 50; number += 1) entra.people.users.remove(number);
  expect(await session.changesSince(token)).toEqual(changed(3));
});

it('follows a few pages without entries, and takes more for changes', async () => {
  const [usersLink = ''] = token.split(' ');
  const empty = () => ({ value: [], '@odata.nextLink': usersLink });
  entra.server.fail('users/delta', empty, 2);
  expect(await session.changesSince(token)).toMatchObject({ hasChanged: false, calls: 4 });
  entra.server.fail('users/delta', empty, 3);
  expect(await session.changesSince(token)).toEqual(changed(5));
});

it('takes a token that is too old, broken or of another address for changes', async () => {
  const [users = '', groups = ''] = token.split(' ');
  const other = 'http://127.0.0.1:1/v1.0/users/delta?$deltatoken=x';
  for (const wrong of ['', 'x', users, `${users} ${groups} ${groups}`, `${other} ${groups}`]) {
    expect(await session.changesSince(wrong)).toMatchObject({ hasChanged: true });
  }
  entra.directory.deltas.forget();
  expect(await session.changesSince(token)).toEqual(changed(3));
  entra.server.fail('groups/delta', ENTRA_FAULTS.invalidRequest);
  const { token: fresh } = await session.changesSince(null);
  expect(fresh).toBeNull();
});

it('keeps no link to another address, and none that is too long', async () => {
  const links = ['http://127.0.0.1:1/v1.0/x', `${entra.url}/v1.0/${'x'.repeat(33_000)}`];
  for (const link of links) {
    entra.server.fail('groups/delta', () => ({ value: [], '@odata.deltaLink': link }));
    expect(await session.changesSince(null)).toMatchObject({ hasChanged: true, token: null });
  }
});

it('passes on that the provider is not available, or gives no access', async () => {
  entra.server.fail('users/delta', ENTRA_FAULTS.unavailable, 5);
  await expect(session.changesSince(token)).rejects.toMatchObject({ kind: 'unavailable' });
  entra.server.fail('users/delta', ENTRA_FAULTS.denied);
  await expect(session.changesSince(token)).rejects.toMatchObject({ kind: 'needs_authorization' });
});
