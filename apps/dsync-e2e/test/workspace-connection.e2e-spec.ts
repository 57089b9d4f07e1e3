// An administrator connects a workspace directory in the browser, over HTTP and with two replicas.
import { type FakeGoogle, startFakeGoogle, type TestStack } from '@gatehouse/testing';
import { manage, newDirectory, openSyncStack, type Service } from './sync-stack.js';

let google: FakeGoogle;
let stack: TestStack;
let api: Service;
let replica: Service;

beforeAll(async () => {
  google = await startFakeGoogle();
  stack = await openSyncStack({ settings: google.settings });
  api = await stack.start('dsync-api');
  replica = await stack.start('dsync-api');
});
afterAll(async () => {
  await stack.close();
  await google.close();
});

const PATH = '/api/scim/oauth/callback';

/** The path and query that Google sends the browser to. */
const consent = async (id: string) => {
  const { status, body } = await manage(api, 'GET', `/${id}/workspace/authorization-url`);
  expect(status).toBe(200);
  const { pathname, search } = new URL(await google.consent(body.data.authorizationUrl));
  expect(pathname).toBe(PATH);
  return pathname + search;
};

it('200: the callback connects the directory and shows a page without script', async () => {
  const name = 'Staff <script>"&';
  const { id, secret, scim } = await newDirectory(api, { type: 'google', name });
  expect(secret).toBe('');
  expect((await scim('GET', '/Users')).status).toBe(401);
  const address = await consent(id);
  // Google adds parameters of its own.
  const page = await replica.http.send(
    'GET',
    `${address}&authuser=0&hd=example.com&prompt=consent`,
  );
  expect(page.status).toBe(200);
  expect(page.text).toContain('Connected');
  expect(page.text).toContain('Staff &lt;script&gt;&quot;&amp;');
  expect(page.text).not.toContain('<script');
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  const { body } = await manage(api, 'GET', `/${id}/status`);
  expect(body.data.workspace).toMatchObject({ provider: 'google', state: 'authorized' });
  const again = await api.http.send('GET', address);
  expect(again.status).toBe(400);
  expect(again.text).toContain('open a new authorization URL');
  const { body: audited } = await manage(api, 'GET', `/audit-events?targetId=${id}`);
  expect(audited.data).toMatchObject([
    { type: 'directory.connected', caller: expect.stringMatching(/^admin-key:/) },
    { type: 'directory.authorization_started', caller: expect.stringMatching(/^admin-key:/) },
    { type: 'directory.created' },
  ]);
});

it('200: another account is connected once the directory is disconnected', async () => {
  const { id } = await newDirectory(api, { type: 'google' });
  const open = async (customerId: string) => {
    google.accounts.customerId = customerId;
    return replica.http.send('GET', await consent(id));
  };
  expect((await open('C01fake')).status).toBe(200);
  const refused = await open('C02other');
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('another account')]);
  const path = `/${id}/workspace/connection`;
  expect(await manage(replica, 'DELETE', path)).toMatchObject({
    status: 200,
    body: { data: null },
  });
  const { body } = await manage(api, 'GET', `/${id}/status`);
  expect(body.data.workspace).toMatchObject({ state: 'needs_authorization' });
  expect((await open('C02other')).status).toBe(200);
  const scim = await newDirectory(api);
  expect((await manage(api, 'DELETE', `/${scim.id}/workspace/connection`)).status).toBe(400);
  const unknown = `/${crypto.randomUUID()}/workspace/connection`;
  expect((await manage(api, 'DELETE', unknown)).status).toBe(404);
});

it('400: the callback says what went wrong, and nothing else', async () => {
  const { id } = await newDirectory(api, { type: 'workspace' });
  google.accounts.isConsentDenied = true;
  const denied = await api.http.send('GET', await consent(id));
  google.accounts.isConsentDenied = false;
  expect([denied.status, denied.text]).toEqual([400, expect.stringContaining('did not consent')]);
  const wrong = ['', '?state=x&code=y', '?state=a&state=b', '?error=%3Cscript%3E', '?state=%00'];
  for (const query of wrong) {
    const { status, text, headers } = await api.http.send('GET', PATH + query);
    expect([query, status]).toEqual([query, 400]);
    expect(text).not.toContain('<script');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  }
  expect((await api.http.send('POST', PATH)).status).toBe(405);
});

it('502: the callback says that the provider did not answer', async () => {
  const { id } = await newDirectory(api, { type: 'workspace' });
  google.server.fail('/token', { status: 500 });
  const { status, text } = await api.http.send('GET', await consent(id));
  expect([status, text]).toEqual([502, expect.stringContaining('Not connected')]);
});

it('400, 404: only a workspace directory has an authorization URL', async () => {
  const { id } = await newDirectory(api);
  const path = (of: string) => `/${of}/workspace/authorization-url`;
  expect((await manage(api, 'GET', path(id))).status).toBe(400);
  expect((await manage(api, 'GET', path(crypto.randomUUID()))).status).toBe(404);
});

it('no code, state or token is in a log', () => {
  const log = api.logs() + replica.logs();
  for (const secret of ['ya29.fake-', '1//fake-', '4/0', google.accounts.clientSecret]) {
    expect(log).not.toContain(secret);
  }
});
