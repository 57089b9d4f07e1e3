/** Sign-in at an OpenID provider, over two replicas behind https, as friends and as attackers do it. */
import { randomUUID } from 'node:crypto';
import {
  createTestDatabase,
  eventually,
  type TestDatabase,
  type TestRedis,
  testRedis,
} from '@gatehouse/testing';
import { openSmall, type SmallGate } from '../gate.js';
import { Administrator } from '../visitor.js';
import { ConsoleClient } from './console-client.js';
import { CLIENT_ID, SCOPES, startProvider, type TestProvider } from './test-provider.js';

const ORIGIN = 'https://console.example.com';
const CALLBACK = `${ORIGIN}/console/sign-in/callback`;
const START = '/console/sign-in/start';
const FAILED = { status: 400, title: 'The sign-in was not confirmed' };

let database: TestDatabase;
let redis: TestRedis;
let provider: TestProvider;
const gates: SmallGate[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  redis = testRedis();
  provider = await startProvider(ORIGIN);
  const settings = {
    REDIS_URL: redis.urlOf('gatehouse'),
    REDIS_NAMESPACE: redis.namespace,
    CONSOLE_URL: ORIGIN,
    CONSOLE_OIDC_ISSUER: provider.issuer,
    CONSOLE_OIDC_CLIENT_ID: CLIENT_ID,
    CONSOLE_OIDC_SCOPES: SCOPES,
    CONSOLE_ROLES:
      'viewer=readers,support=helpers,operator=platform,administrator=admins,administrator=<b>',
  };
  gates.push(await openSmall(database, settings));
  gates.push(await openSmall(database, settings));
});

afterAll(async () => {
  for (const gate of gates) await gate.close();
  await provider?.close();
  await redis?.cleanup();
  await database?.drop();
});

const gate = () => gates[0] as SmallGate;
const browser = () =>
  new ConsoleClient(
    ORIGIN,
    gates.map(({ process }) => process.adminUrl),
  );

let people = 0;
const person = (groups: unknown, claims: object = {}) => {
  const sub = `person-${(people += 1)}`;
  const email = `${sub}@example.com`;
  return { sub, email, email_verified: true, name: `Person ${people}`, groups, ...claims };
};

async function signedIn(groups: unknown = ['readers'], claims: object = {}) {
  provider.person = person(groups, claims);
  const client = browser();
  const page = await client.open(START);
  return { client, page, sub: provider.person.sub };
}

/** The last session, as the database has it. */
async function lastSession() {
  const [session] = await database.query<{ session_id: string; key_id: string; name: string }>(
    'SELECT session_id, key_id, name FROM console.sessions ORDER BY create_time DESC LIMIT 1',
  );
  if (!session) throw new Error('there is no session');
  return session;
}

async function keyOf(keyId: string) {
  const path = `/v2alpha1/admin/issuedApiKeys/${keyId}`;
  return (await new Administrator(gate()).ask('GET', path)).body;
}

const isSignedIn = async (client: ConsoleClient) =>
  (await client.open('/console/')).title === 'Overview';

/** Begins a sign-in. @returns where the provider sends the browser back to, with its answer */
async function answerOfProvider(client: ConsoleClient): Promise<URL> {
  provider.person = person(['readers']);
  return new URL((await client.open(START, CALLBACK)).url);
}

/** The keys of sessions that have ended: they are revoked within a minute, so the last tests look. */
const endedKeys: string[] = [];

it.each([
  ['idle for too long', `seen_time = now() - interval '61 minutes'`],
  ['as old as it may get', `expire_time = now()`],
])('a session that was %s ends on both replicas', async (_, change) => {
  const { client } = await signedIn();
  const { session_id: id, key_id: keyId } = await lastSession();
  expect([await isSignedIn(client), await isSignedIn(client)]).toEqual([true, true]);
  await database.query(`UPDATE console.sessions SET ${change} WHERE session_id = $1`, [id]);
  expect([await isSignedIn(client), await isSignedIn(client)]).toEqual([false, false]);
  endedKeys.push(keyId);
});

describe('a sign-in', () => {
  it('uses PKCE, state and nonce, and leads to the page that was asked for', async () => {
    provider.person = person(['platform']);
    const client = browser();
    const signIn = await client.open('/console/access?x=1');
    expect(signIn.title).toBe('Sign in');
    const start = /href="([^"]*sign-in\/start[^"]*)"/.exec(signIn.text)?.[1] ?? '';
    const page = await client.open(start.replaceAll('&amp;', '&'));
    expect([page.url, page.title]).toEqual([`${ORIGIN}/console/access?x=1`, 'Who has access']);
    expect(Object.fromEntries(provider.asked)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: CALLBACK,
    });
  });

  it('sets cookies that only this host can set and read, over https', async () => {
    const { client } = await signedIn();
    const kept = client.set.filter((line) => !line.includes('Max-Age=0'));
    expect(kept).toHaveLength(2);
    for (const line of kept) {
      expect(line).toMatch(/^__Host-gatehouse_console(_sign_in)?=/);
      expect(line).toContain('; Path=/; ');
      expect(line).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
    }
  });

  it('issues a key with the scopes of the role, which ends with the session', async () => {
    const { client, sub } = await signedIn(['readers', 'helpers']);
    const { key_id: keyId } = await lastSession();
    expect(await keyOf(keyId)).toMatchObject({
      actor_id: `${sub}@example.com`,
      scopes: ['keys:read', 'dsync:read', 'forms:read', 'keys:issue', 'keys:revoke'],
      status: 'KEY_STATUS_ACTIVE',
      expire_time: expect.any(String),
    });
    const { status, url } = await client.submit('/console/sign-out', '/console/sign-out');
    expect([status, new URL(url).origin, new URL(url).pathname]).toEqual([
      303,
      provider.issuer,
      '/session/end',
    ]);
    expect(new URL(url).searchParams.get('post_logout_redirect_uri')).toBe(
      `${ORIGIN}/console/sign-in`,
    );
    expect((await keyOf(keyId)).status).toBe('KEY_STATUS_REVOKED');
    expect(await isSignedIn(client)).toBe(false);
  });

  it.each([true, false])(
    'takes groups and e-mail from ID token or userinfo: %s',
    async (isFull) => {
      provider.hasFullIdTokens = isFull;
      const { page, sub } = await signedIn(['platform']);
      expect(page.title).toBe('Overview');
      expect(await keyOf((await lastSession()).key_id)).toMatchObject({
        actor_id: `${sub}@example.com`,
        scopes: expect.arrayContaining(['dsync:admin']),
      });
      provider.hasFullIdTokens = false;
    },
  );

  it('calls a person by the subject if the provider did not verify the e-mail address', async () => {
    const { sub } = await signedIn(['readers'], {
      email: 'ceo@example.com',
      email_verified: false,
    });
    expect(await keyOf((await lastSession()).key_id)).toMatchObject({ actor_id: sub });
  });

  it.each([
    ['no groups', []],
    ['another group', ['guests']],
    ['groups in one text', 'guests,admins'],
    ['groups that are no texts', [{ name: 'admins' }, 7, null]],
  ])('is refused for a person with %s', async (_, groups) => {
    const { client, page } = await signedIn(groups);
    expect([page.status, page.title]).toEqual([403, 'You have no role in this console']);
    expect(await isSignedIn(client)).toBe(false);
  });

  it.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['a\u0000b\u202ec\ud83d', 'a b c'],
    ['x'.repeat(500), 'x'.repeat(200)],
    ['😀'.repeat(150), '😀'.repeat(100)],
    ['\u200b', 'person-'],
    [{ not: 'a text' }, 'person-'],
  ])('shows the name %j as a text', async (name, text) => {
    const { page } = await signedIn(['admins'], { name });
    expect(page.title).toBe('Overview');
    expect(page.text).toContain(`<bdi translate="no">${text}`);
  });

  it('is refused with a reason if the person cannot own keys', async () => {
    const { page } = await signedIn(['admins'], { email: `"a"@${'x'.repeat(500)}` });
    expect([page.status, page.title]).toEqual([400, 'The request was refused']);
  });
});

describe('an attempt to sign in fails', () => {
  it.each(['state', 'code', 'iss'])('with another %s', async (name) => {
    const client = browser();
    const back = await answerOfProvider(client);
    back.searchParams.set(name, 'another');
    expect(await client.open(back.href)).toMatchObject(FAILED);
    expect(await isSignedIn(client)).toBe(false);
  });

  it('in another browser, and a second time', async () => {
    const client = browser();
    const back = await answerOfProvider(client);
    expect(await browser().open(back.href)).toMatchObject(FAILED);
    const other = browser();
    await answerOfProvider(other);
    expect(await other.open(back.href)).toMatchObject(FAILED);
    expect((await client.open(back.href)).title).toBe('Overview');
    expect(await client.open(back.href)).toMatchObject(FAILED);
  });

  it('with the nonce of another attempt, which the ID token does not have', async () => {
    const client = browser();
    const back = await answerOfProvider(client);
    const other = browser();
    const otherBack = await answerOfProvider(other);
    // The code of the other attempt, with the state of this one.
    back.searchParams.set('code', otherBack.searchParams.get('code') ?? '');
    expect(await client.open(back.href)).toMatchObject(FAILED);
  });

  it('with a cookie that the console did not seal, or that is too long', async () => {
    for (const value of ['x', 'x'.repeat(5_000), '%00', '']) {
      const client = browser();
      const back = await answerOfProvider(client);
      client.cookies.get(new URL(ORIGIN).host)?.set('__Host-gatehouse_console_sign_in', value);
      expect(await client.open(back.href)).toMatchObject(FAILED);
    }
  });

  it('if the person cancels at the provider', async () => {
    const client = browser();
    const back = await answerOfProvider(client);
    const state = back.searchParams.get('state') ?? '';
    const query = new URLSearchParams({ error: 'access_denied', state });
    expect(await client.open(`${CALLBACK}?${query.toString()}`)).toMatchObject(FAILED);
  });
});

it.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/%0d%0aset-cookie:x=1',
  'javascript:alert(1)',
  '/sign-in/start',
  `/${'x'.repeat(3_000)}`,
])('a sign-in never leads out of the console: %s', async (target) => {
  provider.person = person(['readers']);
  const { url } = await browser().open(`${START}?return_to=${encodeURIComponent(target)}`);
  expect(url.startsWith(`${ORIGIN}/console/`)).toBe(true);
});

describe('a session', () => {
  it.each([
    '/console/',
    '/console/audit',
    '/console/access',
    `/console/access/${randomUUID()}/end`,
  ])('ends with its key, at the next request of %s', async (path) => {
    const { client } = await signedIn(['admins']);
    const { session_id: id, key_id: keyId } = await lastSession();
    await new Administrator(gate()).revoke(keyId);
    const page = await eventually(async () => {
      const shown = await client.open(path);
      expect(shown.title).toBe('Sign in');
      return shown;
    });
    expect(page.text).toContain('Your key was revoked or paused, or it has expired.');
    const left = await database.query('SELECT 1 FROM console.sessions WHERE session_id = $1', [id]);
    expect(left).toEqual([]);
  });

  it('is over when no encryption key opens it any more', async () => {
    const { client } = await signedIn(['admins']);
    const { session_id: id } = await lastSession();
    await database.query('UPDATE console.sessions SET credential = $2 WHERE session_id = $1', [
      id,
      `s1.00000000.${'A'.repeat(60)}`,
    ]);
    expect((await client.open('/console/audit')).title).toBe('Sign in');
  });

  it('ends when its person leaves the company', async () => {
    const administrator = new Administrator(gate());
    await administrator.linkKeys('leaving');
    const directory = await administrator.newDirectory('http://127.0.0.1:9/', 'leaving');
    const userId = await directory.createUser('leaver@example.com');
    const { client } = await signedIn(['admins'], { sub: userId, email: undefined });
    expect(await isSignedIn(client)).toBe(true);
    await directory.deactivate(userId);
    await eventually(async () => expect(await isSignedIn(client)).toBe(false));
  });

  it('may do what the role may, and no more', async () => {
    const { client: viewer } = await signedIn(['readers']);
    const { session_id: id } = await lastSession();
    const end = `/console/access/${id}/end`;
    expect((await viewer.submit(end, end)).status).toBe(403);
    const { client: operator } = await signedIn(['platform']);
    expect((await operator.submit(end, end)).status).toBe(403);
    expect(await isSignedIn(viewer)).toBe(true);
    const { client: administrator } = await signedIn(['admins']);
    expect((await administrator.submit(end, end)).status).toBe(303);
    expect(await isSignedIn(viewer)).toBe(false);
  });

  it('makes a secret once for each form, on both replicas, and forgets the form when it ends', async () => {
    const { client, sub } = await signedIn(['admins']);
    const { session_id: id } = await lastSession();
    const path = '/console/keys/new';
    const { text } = await client.open(path);
    const [csrf_token = '', nonce = ''] = ['csrf_token', 'nonce'].map(
      (name) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1],
    );
    const form = { csrf_token, nonce, actor_id: `of-${sub}`, name: 'Once', scopes: 'orders:read' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.post(path, form)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const filter = new URLSearchParams({ filter: `actor_id="of-${sub}"` });
    const keys = await new Administrator(gate()).ask(
      'GET',
      `/v2alpha1/admin/issuedApiKeys?${filter.toString()}`,
    );
    expect(keys.body.issued_api_keys).toHaveLength(1);
    expect((await client.post(path, { ...form, nonce: '' })).status).toBe(403);
    // The process ended before it called the service: the next form works.
    const lost = randomUUID();
    await database.query('INSERT INTO console.sent_forms VALUES ($1, $2)', [id, lost]);
    const again = await client.post(path, { ...form, nonce: lost });
    expect([again.status, again.title]).toEqual([409, 'This was sent before']);
    expect(again.text).toContain('href="/console/keys"');
    expect((await client.post(path, { ...form, nonce: randomUUID() })).status).toBe(200);
    const sent = () =>
      database.query('SELECT 1 FROM console.sent_forms WHERE session_id = $1', [id]);
    expect(await sent()).toHaveLength(3);
    await client.submit('/console/sign-out', '/console/sign-out');
    expect(await sent()).toEqual([]);
  });

  it('takes submissions of its own pages only', async () => {
    const { client: victim } = await signedIn(['admins']);
    await signedIn(['readers']);
    const end = `/console/access/${(await lastSession()).session_id}/end`;
    const { text } = await victim.open(end);
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await victim.post(end, { csrf_token }, foreign)).status).toBe(403);
    expect((await victim.post(end, { csrf_token }, { origin: 'null' })).status).toBe(403);
    expect((await victim.post(end, { csrf_token: 'x' })).status).toBe(403);
    const { client: attacker } = await signedIn(['readers']);
    expect((await attacker.submit(end, end, { csrf_token })).status).toBe(403);
    expect((await victim.post(end, { csrf_token })).status).toBe(303);
  });
});

it('a key of a reader that is over its limits does not become an administrator', async () => {
  const { secret } = await new Administrator(gate()).issue({
    scopes: ['keys:read', 'dsync:read', 'forms:read'],
    rate_limit_policy: { quota: 3, window: '3600s' },
  });
  const client = browser();
  await client.post('/console/sign-in', { key: secret });
  const page = await client.open('/console/access');
  expect(page.text).not.toContain('/end"');
});

it('the keys of sessions that were idle or too old are revoked', async () => {
  const revoked = async () => {
    const keys = await Promise.all(endedKeys.map(keyOf));
    expect(keys.map(({ status }) => status)).toEqual(keys.map(() => 'KEY_STATUS_REVOKED'));
  };
  await eventually(revoked, { timeoutMs: 120_000 });
});

it('while the provider is down, people read that, and do not get in', async () => {
  const client = browser();
  const back = await answerOfProvider(client);
  await provider.close();
  const page = await client.open(back.href);
  expect([page.status, page.title]).toEqual([503, 'Your organization cannot be reached']);
  expect(await isSignedIn(client)).toBe(false);
});
