// The provider of Google Workspace against a server that speaks Google's API over HTTP.
import { createHash, randomBytes } from 'node:crypto';
import { type FakeGoogle, GOOGLE_FAULTS, startFakeGoogle } from '@gatehouse/testing';
import {
  createProviders,
  type Credentials,
  type Providers,
  type Tokens,
  type WorkspaceError,
  type WorkspaceProvider,
} from '../src/index.js';
import { all, faultOf } from './pages.js';

const REDIRECT = 'https://sync.example.com/api/scim/oauth/callback';

let google: FakeGoogle;
let providers: Providers;
let provider: WorkspaceProvider;

beforeEach(async () => {
  google = await startFakeGoogle({ users: 1_201, groups: 3, membersPerGroup: 450 });
  const { accounts, settings } = google;
  providers = createProviders({
    policy: { allowPrivate: true },
    timeoutMs: 5_000,
    answerBytesMax: 8 * 1024 * 1024,
    requestsPerSecond: 1_000,
    retryDelayMs: 1,
    google: {
      clientId: accounts.clientId,
      clientSecret: accounts.clientSecret,
      authUrl: settings.WORKSPACE_AUTH_URL ?? '',
      tokenUrl: settings.WORKSPACE_TOKEN_URL ?? '',
      apiUrl: google.url,
      serviceAccount: serviceAccountOf(accounts.serviceAccountKey()),
    },
  });
  provider = providers.of('google');
});
afterEach(async () => {
  await providers.close();
  await google.close();
});

const serviceAccountOf = (key: string) => {
  const { client_email, private_key } = JSON.parse(key) as Record<string, string>;
  return { clientEmail: client_email ?? '', privateKey: private_key ?? '' };
};

const consent = async (): Promise<Tokens> => {
  const codeVerifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const request = { state: 's', codeChallenge, redirectUri: REDIRECT, domain: 'example.com' };
  const back = new URL(await google.consent(provider.authorizationUrl(request)));
  const code = back.searchParams.get('code') ?? '';
  return provider.exchange({ code, codeVerifier, redirectUri: REDIRECT });
};

/** A session, and the tokens that it saves. */
const connect = async (more: Partial<Credentials> = {}) => {
  const saved: Tokens[] = [await consent()];
  const tokens = {
    current: () => Promise.resolve(saved.at(-1) as Tokens),
    replace: async (stale: Tokens, refresh: (token: string) => Promise<Tokens>) => {
      const next = await refresh(stale.refreshToken ?? '');
      saved.push({ ...next, refreshToken: next.refreshToken ?? stale.refreshToken });
      return saved.at(-1) as Tokens;
    },
  };
  const credentials = { directoryId: 'd', domain: 'example.com', administrator: null, tokens };
  return { session: provider.open({ ...credentials, ...more }), saved };
};

describe('access', () => {
  it('exchanges a code for tokens, with the verifier of the challenge only', async () => {
    const tokens = await consent();
    expect(tokens).toMatchObject({ tokenType: 'Bearer', scope: expect.stringContaining('group') });
    expect(tokens.refreshToken).toBeTruthy();
    expect(tokens.expiresAt?.getTime()).toBeGreaterThan(Date.now());
    const request = { state: 's', codeChallenge: 'x', redirectUri: REDIRECT, domain: null };
    const back = new URL(await google.consent(provider.authorizationUrl(request)));
    const code = back.searchParams.get('code') ?? '';
    const exchanged = provider.exchange({ code, codeVerifier: 'y', redirectUri: REDIRECT });
    await expect(exchanged).rejects.toMatchObject({ kind: 'needs_authorization' });
  });

  it('asks for three read-only scopes, offline access and the domain', () => {
    const request = {
      state: 's',
      codeChallenge: 'c',
      redirectUri: REDIRECT,
      domain: 'example.com',
    };
    const query = new URL(provider.authorizationUrl(request)).searchParams;
    expect(query.get('scope')?.split(' ')).toHaveLength(3);
    expect(query.get('scope')).not.toMatch(/directory\.(user|group|group\.member)( |$)/);
    expect(Object.fromEntries(query)).toMatchObject({
      access_type: 'offline',
      prompt: 'consent',
      hd: 'example.com',
      code_challenge_method: 'S256',
    });
  });

  it('renews a refused token once, and saves the new one', async () => {
    const { session, saved } = await connect();
    google.accounts.expireAccessTokens();
    const page = await session.listUsers(null);
    expect(page).toMatchObject({ calls: 2, items: { length: 500 } });
    expect(saved).toHaveLength(2);
  });

  it('keeps a refresh token that was rotated', async () => {
    google.accounts.rotatesRefreshTokens = true;
    const { session, saved } = await connect();
    for (let round = 1; round <= 2; round += 1) {
      google.accounts.expireAccessTokens();
      await session.listUsers(null);
    }
    expect(new Set(saved.map(({ refreshToken }) => refreshToken)).size).toBe(3);
  });

  it('needs authorization after the consent was revoked', async () => {
    const { session } = await connect();
    google.accounts.revokeConsents();
    const fault = await faultOf(session);
    expect(fault).toMatchObject({ kind: 'needs_authorization' });
    expect(fault.message).toContain('authorization URL');
    expect(google.server.requestsOf('/token')).toHaveLength(2);
  });

  it('reads in the name of an administrator by a service account', async () => {
    const administrator = 'admin@example.com';
    const { session } = await connect({ administrator, tokens: null });
    expect((await session.listGroups(null)).items).toHaveLength(3);
  });
});

describe('listings', () => {
  it('reads all pages of users, groups and members', async () => {
    const { session } = await connect();
    const users = await all((page) => session.listUsers(page));
    expect([users.items.length, users.pages]).toEqual([1_201, 3]);
    expect(new Set(users.items.map(({ id }) => id)).size).toBe(1_201);
    const groups = await all((page) => session.listGroups(page));
    expect(groups.items).toHaveLength(3);
    const members = await all((page) => session.listMembers('group-1', page));
    expect([members.items.length, members.pages]).toEqual([450, 3]);
    expect(members.items[0]).toEqual({ id: google.people.users.at(450).id, kind: 'user' });
  });

  it('maps a user to a core and enterprise User', async () => {
    const { session } = await connect();
    google.people.users.change(0, { isSuspended: true });
    const [user, other] = (await session.listUsers(null)).items;
    const { id, phone } = google.people.users.at(0);
    expect(user).toEqual({
      id,
      orgUnit: '/Sales',
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
        emails: [
          { value: 'user-0@example.com', type: 'work', primary: true },
          { value: 'alias-user-0@example.com', type: 'work' },
        ],
        phoneNumbers: [{ value: phone, type: 'work' }],
        title: 'Clerk',
        preferredLanguage: 'en',
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': {
          employeeNumber: 'E0',
          department: 'Sales',
        },
      },
    });
    expect(other?.resource.active).toBe(true);
  });

  it('lists members that are groups, and leaves out those that are neither', async () => {
    const { session } = await connect();
    google.people.setMembers('group-0', [
      { id: 'group-1', email: 'group-1@example.com', kind: 'group' },
    ]);
    google.server.fail('members', (body) => ({
      members: [...(body.members as object[]), { type: 'CUSTOMER', id: 'C01fake' }],
    }));
    const { items } = await session.listMembers('group-0', null);
    expect(items).toEqual([{ id: 'group-1', kind: 'group' }]);
  });

  it('reads an empty page, and refuses half a page', async () => {
    const { session } = await connect();
    google.server.fail('/users', () => ({ kind: 'admin#directory#users' }));
    expect(await session.listUsers(null)).toEqual({ items: [], next: null, calls: 1 });
    for (const users of [{}, [null], [{ id: '' }], [{ id: '1' }]]) {
      google.server.fail('/users', () => ({ users }));
      expect(await faultOf(session)).toMatchObject({ kind: 'invalid_response' });
    }
  });

  it('refuses a page that is followed by itself, and says when a page token is too old', async () => {
    const { session } = await connect();
    const { next } = await session.listUsers(null);
    google.server.fail('/users', (body) => ({ ...body, nextPageToken: next }));
    const kindOf = async (page: string | null) =>
      session.listUsers(page).catch(({ kind }: WorkspaceError) => kind);
    expect(await kindOf(next)).toBe('invalid_response');
    expect(await kindOf('an old token')).toBe('page_expired');
  });
});

describe('failures', () => {
  it('tries again after 500, 503, 429, a quota and a lost connection', async () => {
    const { session } = await connect();
    const rateLimited = { ...GOOGLE_FAULTS.rateLimited, headers: { 'retry-after': '0' } };
    for (const fault of [GOOGLE_FAULTS.internal, rateLimited, GOOGLE_FAULTS.quotaExceeded]) {
      google.server.fail('/users', fault);
    }
    google.server.fail('/users', 'hang-up');
    expect(await session.listUsers(null)).toMatchObject({ calls: 5, items: { length: 500 } });
  });

  it('gives up after five tries', async () => {
    const { session } = await connect();
    google.server.fail('/users', GOOGLE_FAULTS.unavailable, 99);
    expect(await faultOf(session)).toMatchObject({ kind: 'unavailable' });
    expect(google.server.requestsOf('/users')).toHaveLength(5);
  });

  it('does not wait longer than a minute: the run goes on later', async () => {
    const { session } = await connect();
    const fault = { ...GOOGLE_FAULTS.rateLimited, headers: { 'retry-after': '120' } };
    google.server.fail('/users', fault);
    const expected = { kind: 'rate_limited', retryAfterSeconds: 120 };
    expect(await faultOf(session)).toMatchObject(expected);
    expect(google.server.requestsOf('/users')).toHaveLength(1);
  });

  it.each([
    ['notAuthorized', 'forbidden', /administrator role/],
    ['apiDisabled', 'forbidden', /Admin SDK API is not switched on/],
    ['insufficientScopes', 'needs_authorization', /all three read-only scopes/],
    ['domainNotFound', 'not_found', /workspace_domain/],
  ] as const)('says what to do about %s', async (fault, kind, message) => {
    const { session } = await connect();
    google.server.fail('/users', GOOGLE_FAULTS[fault]);
    expect(await faultOf(session)).toMatchObject({
      kind,
      message: expect.stringMatching(message),
    });
    expect(google.server.requestsOf('/users')).toHaveLength(1);
  });

  it('refuses an answer that is too long, and never shows a credential', async () => {
    const { session, saved } = await connect();
    google.server.fail('/users', () => ({ users: [], more: 'x'.repeat(9 * 1024 * 1024) }), 9);
    const fault = await faultOf(session);
    expect(fault.message).toContain('more than 8388608 bytes');
    const { accessToken, refreshToken } = saved[0] as Tokens;
    for (const secret of [accessToken, refreshToken, google.accounts.clientSecret]) {
      expect(JSON.stringify(fault)).not.toContain(secret);
      expect(fault.message).not.toContain(secret);
    }
  });

  it('ends a request when its signal is aborted', async () => {
    const { session } = await connect();
    const abort = new AbortController();
    google.server.beforeAnswer = () => {
      abort.abort(new Error('stopped'));
      return new Promise(() => undefined);
    };
    await expect(session.listUsers(null, abort.signal)).rejects.toThrow('stopped');
  });
});

it('reaches no private address unless that is allowed', async () => {
  const strict = createProviders({
    policy: { allowPrivate: false },
    timeoutMs: 1_000,
    google: { clientId: 'id', clientSecret: 'secret', tokenUrl: `${google.url}/token` },
  });
  const exchanged = strict
    .of('google')
    .exchange({ code: 'c', codeVerifier: 'v', redirectUri: REDIRECT });
  await expect(exchanged).rejects.toMatchObject({ kind: 'unavailable' });
  expect(google.server.requests).toEqual([]);
  await strict.close();
});
