// The provider of Entra ID against a server that speaks Microsoft Graph over HTTP.
import { ENTRA_FAULTS, type FakeEntra, startFakeEntra } from '@gatehouse/testing';
import {
  createProviders,
  type Providers,
  type WorkspaceError,
  type WorkspaceProvider,
} from '../src/index.js';
import { all, faultOf } from './pages.js';

const REDIRECT = 'https://sync.example.com/api/scim/oauth/callback';

let entra: FakeEntra;
let providers: Providers;
let provider: WorkspaceProvider;

const providersWith = (clientSecret: string) =>
  createProviders({
    policy: { allowPrivate: true },
    requestsPerSecond: 1_000,
    retryDelayMs: 1,
    entra: {
      clientId: entra.settings.WORKSPACE_ENTRA_CLIENT_ID,
      clientSecret,
      loginUrl: entra.url,
      apiUrl: entra.settings.WORKSPACE_ENTRA_API_URL,
    },
  });

beforeEach(async () => {
  entra = await startFakeEntra({ users: 2_500, groups: 2, membersPerGroup: 1_200 });
  providers = providersWith(entra.settings.WORKSPACE_ENTRA_CLIENT_SECRET ?? '');
  provider = providers.of('entra');
});
afterEach(async () => {
  await providers.close();
  await entra.close();
});

const open = (domain: string | null = entra.tenant, from = provider) =>
  from.open({ directoryId: 'd', domain, administrator: null, tokens: null });

it('lists all pages of users, groups and members', async () => {
  const session = open();
  const users = await all((page) => session.listUsers(page));
  expect([users.items.length, users.pages]).toEqual([2_500, 3]);
  expect(new Set(users.items.map(({ id }) => id)).size).toBe(2_500);
  expect((await all((page) => session.listGroups(page))).items).toHaveLength(2);
  const members = await all((page) => session.listMembers('group-1', page));
  expect([members.items.length, members.pages]).toEqual([1_200, 2]);
  expect(members.items[0]).toEqual({ id: entra.people.users.at(1_200).id, kind: 'user' });
  expect(entra.server.requestsOf('/token')).toHaveLength(1);
});

it('maps a user to a core and enterprise User', async () => {
  entra.people.users.change(0, { isSuspended: true });
  const [user, other] = (await open().listUsers(null)).items;
  const { id, phone } = entra.people.users.at(0);
  expect(user).toEqual({
    id,
    orgUnit: null,
    resource: {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:User',
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      ],
      externalId: id,
      userName: 'user-0@example.com',
      name: { givenName: 'Given0', familyName: 'Family0', formatted: 'Given0 Family0' },
      displayName: 'Given0 Family0',
      active: false,
      emails: [{ value: 'user-0@example.com', type: 'work', primary: true }],
      phoneNumbers: [{ value: phone, type: 'work' }],
      title: 'Clerk',
      userType: 'Member',
      preferredLanguage: 'en-US',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': {
        employeeNumber: 'E0',
        department: 'Sales',
      },
    },
  });
  expect(other?.resource.active).toBe(true);
});

it('gives a guest no made-up address, and leaves out members that are devices', async () => {
  const session = open();
  entra.server.fail('users/delta', (body) => ({
    ...body,
    value: [{ id: '1', userPrincipalName: 'ann_other.com#EXT#@example.com', mail: null }],
  }));
  const [guest] = (await session.listUsers(null)).items;
  expect(guest?.resource).not.toHaveProperty('emails');
  expect(guest?.resource.schemas).toHaveLength(1);
  entra.server.fail('members', () => ({
    value: [
      { '@odata.type': '#microsoft.graph.device', id: '1' },
      { '@odata.type': '#microsoft.graph.group', id: '2' },
    ],
  }));
  const { items } = await session.listMembers('group-0', null);
  expect(items).toEqual([{ id: '2', kind: 'group' }]);
});

it('obtains another token when one is refused, and tries again after 429 and 503', async () => {
  const session = open();
  await session.listGroups(null);
  entra.directory.expireAccessTokens();
  entra.server.fail('groups/delta', { ...ENTRA_FAULTS.throttled, headers: { 'retry-after': '0' } });
  entra.server.fail('groups/delta', ENTRA_FAULTS.unavailable);
  expect(await session.listGroups(null)).toMatchObject({ calls: 4, items: { length: 2 } });
  expect(entra.server.requestsOf('/token')).toHaveLength(2);
});

it('sends its token to no other address, and accepts no page without entries', async () => {
  const session = open();
  const other = 'http://127.0.0.1:1/v1.0/users/delta?$skiptoken=x';
  await expect(session.listUsers(other)).rejects.toMatchObject({ kind: 'invalid_response' });
  for (const body of [{ value: [], '@odata.nextLink': other }, {}, { value: [{}] }]) {
    entra.server.fail('users/delta', () => body);
    expect(await faultOf(session)).toMatchObject({ kind: 'invalid_response' });
  }
});

it('says that a page token is too old', async () => {
  const stale = `${entra.settings.WORKSPACE_ENTRA_API_URL}/users/delta?$skiptoken=old`;
  const kind = await open()
    .listUsers(stale)
    .catch((error: WorkspaceError) => error.kind);
  expect(kind).toBe('page_expired');
});

it('says what an administrator has to do', async () => {
  const kindOf = async (session = open()) => {
    const { kind, message } = await faultOf(session);
    expect(message).not.toContain('Trace ID');
    return [kind, message];
  };
  entra.directory.isConsented = false;
  expect(await kindOf()).toEqual([
    'needs_authorization',
    expect.stringContaining('must consent to User.Read.All and Group.Read.All'),
  ]);
  entra.directory.isConsented = true;
  entra.server.fail('users/delta', ENTRA_FAULTS.denied);
  expect(await kindOf()).toEqual(['needs_authorization', expect.stringContaining('may not read')]);
  expect(await kindOf(open('other.example.com'))).toEqual([
    'forbidden',
    expect.stringContaining('workspace_domain'),
  ]);
  const wrong = providersWith('a-wrong-secret');
  expect(await kindOf(open(entra.tenant, wrong.of('entra')))).toEqual([
    'forbidden',
    expect.stringContaining('WORKSPACE_ENTRA_CLIENT_SECRET'),
  ]);
  await wrong.close();
  entra.server.fail('/token', 'hang-up');
  expect(await kindOf()).toEqual(['unavailable', expect.stringContaining('could not be reached')]);
});

it('asks an administrator of the tenant for the permissions of the application', async () => {
  const request = { state: 's', codeChallenge: 'c', redirectUri: REDIRECT, domain: entra.tenant };
  const back = new URL(await entra.consent(provider.authorizationUrl(request)));
  expect(back.origin + back.pathname).toBe(REDIRECT);
  expect(Object.fromEntries(back.searchParams)).toMatchObject({
    state: 's',
    admin_consent: 'True',
  });
});
