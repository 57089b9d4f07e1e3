/** The pages of setup links of workspace directories, with consents at Google and at Entra ID. */
import {
  eventually,
  type FakeEntra,
  type FakeGoogle,
  freePort,
  launchBrowser,
  startFakeEntra,
  startFakeGoogle,
  type TestStack,
} from '@gatehouse/testing';
import { type Browser, type Page } from 'playwright-core';
import { check, press, visitWith } from './setup-page.js';
import { manage, openSyncStack, type Service } from './sync-stack.js';

const CALLBACK = '/api/scim/oauth/callback';

let google: FakeGoogle;
let entra: FakeEntra;
let stack: TestStack;
let api: Service;
let browser: Browser;
/** Another site than that of the providers, as in real life. */
let externalUrl: string;

beforeAll(async () => {
  [google, entra] = await Promise.all([
    startFakeGoogle({ users: 1_200, groups: 3 }),
    startFakeEntra(),
  ]);
  const port = await freePort();
  externalUrl = `http://localhost:${port}`;
  stack = await openSyncStack({
    settings: {
      ...google.settings,
      ...entra.settings,
      EXTERNAL_URL: externalUrl,
      DSYNC_SWEEP_INTERVAL: '1',
      WORKSPACE_SYNC_CRON: 'never',
      WORKSPACE_REQUESTS_PER_SECOND: '1000',
    },
  });
  [api] = await Promise.all([
    stack.start('dsync-api', { PORT: String(port) }),
    stack.start('dsync-worker'),
  ]);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack.close();
  await google.close();
  await entra.close();
});
beforeEach(() => {
  google.accounts.isConsentDenied = false;
});

const GOOGLE = { type: 'workspace', workspace_domain: 'example.com' };

async function newLink(input: object): Promise<{ id: string; directoryId: string; path: string }> {
  const { status, body, text } = await manage(api, 'POST', '/setup-links', {
    tenant: `tenant-${crypto.randomUUID()}`,
    product: 'product',
    name: 'Acme',
    ...input,
  });
  if (status !== 201) throw new Error(text);
  const { id, directory_id: directoryId, url } = body.data;
  const { pathname: path } = new URL(url);
  stack.secrets.add(path.slice('/setup/'.length));
  return { id, directoryId, path };
}

const linkOf = async (id: string) => (await manage(api, 'GET', `/setup-links/${id}`)).body.data;
const workspaceOf = async (id: string) =>
  (await manage(api, 'GET', `/${id}/status`)).body.data.workspace;

const visit = (path: string, act: (page: Page) => Promise<void>, options = {}) =>
  visitWith(browser, externalUrl + path, act, options);

const read = (page: Page, text: string) =>
  eventually(
    async () => {
      await page.goto(`${externalUrl}/setup/check?refresh=off`);
      expect(await page.locator('main').textContent()).toContain(text);
    },
    { timeoutMs: 30_000 },
  );

describe('in a browser', () => {
  it('Google: from the link over a refusal to what was read, and back to the application', async () => {
    const { id, path } = await newLink(GOOGLE);
    await visit(path, async (page) => {
      await press(page, 'Continue');
      await page.waitForURL('**/setup/steps/1');
      const text = (await page.locator('main').textContent()) ?? '';
      const scope = 'https://www.googleapis.com/auth/admin.directory.';
      const named = ['user.readonly', 'group.readonly', 'group.member.readonly'];
      for (const part of [...named.map((name) => scope + name), 'Acme', 'example.com']) {
        expect(text).toContain(part);
      }
      await check(page);
      await page.getByRole('link', { name: 'Continue' }).click();
      expect(await page.getByRole('link', { name: 'Continue' }).count()).toBe(0);
      await check(page);

      google.accounts.isConsentDenied = true;
      await press(page, 'Continue to Google');
      await page.waitForURL('**/setup/steps/2?problem=refused');
      expect(await page.getByRole('alert').textContent()).toContain('declined');
      await check(page);
      google.accounts.isConsentDenied = false;
      await press(page, 'Continue to Google');
      await page.waitForURL('**/setup/check');
      await read(page, '1,200 read');
      await read(page, 'Everything has been read and stored');
      expect(await page.locator('.checks .is-seen').count()).toBe(3);
      await check(page);
      await press(page, 'Finish');
      await page.waitForURL('**/setup/done');
    });
    expect(await linkOf(id)).toMatchObject({ state: 'completed', provider: null });
  });

  it('Entra ID: in German and dark, with the permissions of the application', async () => {
    const { id, path } = await newLink({
      type: 'workspace',
      workspace_provider: 'entra',
      workspace_domain: entra.tenant,
      locale: 'de',
    });
    const act = async (page: Page) => {
      await press(page, 'Weiter');
      const text = (await page.locator('main').textContent()) ?? '';
      for (const name of ['User.Read.All', 'Group.Read.All', 'Privileged Role Administrator']) {
        expect(text).toContain(name);
      }
      await check(page);
      await page.getByRole('link', { name: 'Weiter' }).click();
      await press(page, 'Weiter zu Microsoft');
      await page.waitForURL('**/setup/check');
      await read(page, 'Alles wurde gelesen und gespeichert');
      await check(page);
      await press(page, 'Abschließen');
      await page.waitForURL('**/setup/done');
    };
    await visit(path, act, { colorScheme: 'dark' });
    expect(await linkOf(id)).toMatchObject({ state: 'completed' });
  });

  it('with groups to choose before the consent, and roles to give after it', async () => {
    const { id, path } = await newLink({ ...GOOGLE, allow: ['groups', 'roles'], roles: ['admin'] });
    await visit(path, async (page) => {
      await press(page, 'Continue');
      await page.getByRole('link', { name: 'Continue' }).click();
      // Typed names are not dropped because the other choice is the first one.
      await page.getByRole('textbox').fill('group 1');
      await press(page, 'Save and continue');
      expect(await page.locator('.fault').textContent()).toContain('You chose all groups');
      expect(await page.getByRole('textbox').inputValue()).toBe('group 1');
      await page.getByRole('textbox').fill('');
      await page.getByLabel('Only these groups:').check();
      await press(page, 'Save and continue');
      expect(await page.locator('.fault').textContent()).toContain('at least one group');
      await check(page);
      await page.getByRole('textbox').fill('group 1\n\ngroup-unknown@example.com\n');
      await press(page, 'Save and continue');
      await press(page, 'Continue to Google');
      await page.waitForURL('**/setup/check');
      await read(page, 'Everything has been read and stored');
      await page.getByRole('link', { name: 'Continue' }).click();
      expect(await page.getByRole('combobox').count()).toBe(1);
      await page.getByLabel('Group 1').selectOption('admin');
      await press(page, 'Show what changes');
      await press(page, 'Save and finish');
      await page.waitForURL('**/setup/done');
    });
    expect(await linkOf(id)).toMatchObject({ state: 'completed', allow: ['groups', 'roles'] });
  });

  it('says why an account of another organization cannot be read, and what to do', async () => {
    const { id, path } = await newLink({ ...GOOGLE, workspace_domain: 'elsewhere.example' });
    await visit(path, async (page) => {
      await press(page, 'Continue');
      await page.getByRole('link', { name: 'Continue' }).click();
      await press(page, 'Continue to Google');
      await read(page, 'Reading has failed');
      const text = await page.locator('.refused').textContent();
      expect(text).toContain('Check that the account is one of the right organization');
      await check(page);
      expect(await page.getByRole('button', { name: 'Finish' }).count()).toBe(0);
      await page.getByRole('link', { name: 'Give consent again' }).click();
      await page.waitForURL('**/setup/steps/2');
      await check(page);
    });
    expect(await linkOf(id)).toMatchObject({ state: 'open', connected_at: null });
  });
});

describe('the answer of a provider', () => {
  const get = (path: string, headers = {}) => api.http.send('GET', path, { headers });
  const post = (path: string, form = {}, headers = {}) =>
    api.http.send('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    });
  const opened = async (path: string) => {
    const { headers } = await post(path);
    return headers.get('set-cookie')?.split(';')[0] ?? '';
  };
  /** @returns the path and query that the provider sends the browser to */
  const consented = async (cookie: string, fake: FakeGoogle | FakeEntra = google) => {
    const { text, headers: shown } = await get('/setup/steps/2', { cookie });
    expect(shown.get('content-security-policy')).toContain(`form-action 'self' ${fake.url};`);
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
    expect((await post('/setup/consent', {}, { cookie })).status).toBe(403);
    const { status, headers } = await post('/setup/consent', { csrf_token }, { cookie });
    expect([status, headers.get('cache-control')]).toEqual([303, 'no-store']);
    const { pathname, search, searchParams } = new URL(
      await fake.consent(headers.get('location') ?? ''),
    );
    expect(pathname).toBe(CALLBACK);
    for (const name of ['state', 'code']) stack.secrets.add(searchParams.get(name) ?? '');
    return pathname + search;
  };

  it('connects nothing in another browser, and is a page even for programs', async () => {
    const { directoryId, path } = await newLink(GOOGLE);
    const cookie = await opened(path);
    const address = await consented(cookie);
    const foreign = await opened((await newLink(GOOGLE)).path);
    for (const headers of [{}, { cookie: foreign }, { accept: 'application/json' }]) {
      const answer = await get(address, headers);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        403,
        'text/html; charset=utf-8',
      ]);
      expect(answer.text).toContain('This consent was not begun here');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    expect(await workspaceOf(directoryId)).toMatchObject({ state: 'needs_authorization' });

    const own = await get(address, { cookie });
    expect([own.status, own.headers.get('location')]).toEqual([303, '/setup/check']);
    expect(await workspaceOf(directoryId)).toMatchObject({ state: 'authorized' });
    expect((await get(address, { cookie })).headers.get('location')).toBe('/setup/check');
  });

  it('is whole or lost if a replica is killed in the exchange, and the button works again', async () => {
    const { directoryId, path } = await newLink(GOOGLE);
    const cookie = await opened(path);
    const address = await consented(cookie);
    const replica = await stack.start('dsync-api');
    google.server.beforeAnswer = async ({ url }) => {
      if (url.pathname === '/token') await replica.kill();
    };
    await expect(replica.http.send('GET', address, { headers: { cookie } })).rejects.toThrow();
    google.server.beforeAnswer = () => undefined;
    expect(await workspaceOf(directoryId)).toMatchObject({ state: 'needs_authorization' });
    const late = await get(address, { cookie });
    expect(late.headers.get('location')).toBe('/setup/steps/2?problem=expired');
    const again = await get(await consented(cookie), { cookie });
    expect(again.headers.get('location')).toBe('/setup/check');
  });

  it('connects nothing once the link was revoked, and says so on a page', async () => {
    const { id, directoryId, path } = await newLink({
      type: 'workspace',
      workspace_provider: 'entra',
      workspace_domain: entra.tenant,
    });
    const cookie = await opened(path);
    const address = await consented(cookie, entra);
    await manage(api, 'DELETE', `/setup-links/${id}`);
    const answer = await get(address, { cookie });
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining('Nothing was connected'),
    ]);
    const { body } = await manage(api, 'GET', `/${directoryId}/runs`);
    expect(body.data).toEqual([]);
  });

  it('leads back to the pages with what went wrong', async () => {
    const { path } = await newLink(GOOGLE);
    const cookie = await opened(path);
    const placeOf = async (address: string) =>
      (await get(address, { cookie })).headers.get('location');
    const at = (problem: string) => `/setup/steps/2?problem=${problem}`;
    google.server.fail('/token', { status: 500 });
    expect(await placeOf(await consented(cookie))).toBe(at('failed'));
    const used = await consented(cookie);
    const [, state] = /state=([^&]+)/.exec(used) ?? [];
    expect(await placeOf(`${CALLBACK}?state=${state}&error=server_error`)).toBe(at('unanswered'));
    expect(await placeOf(used)).toBe(at('expired'));
    const { text } = await get(at('expired'), { cookie });
    expect(text).toContain('longer than ten minutes');
    const { text: unknown } = await get(at('%3Cb%3E'), { cookie });
    expect(unknown).not.toContain('role="alert"');
    const odd = await get(`${used}&code=x`, { cookie });
    expect([odd.status, odd.headers.get('content-type')]).toEqual([
      400,
      'text/html; charset=utf-8',
    ]);
  });

  it('303: pages that such a link does not have lead to its first one', async () => {
    const cookie = await opened((await newLink({ ...GOOGLE, locale: 'de' })).path);
    const { headers } = await get('/setup/provider', { cookie });
    expect(headers.get('location')).toBe('/setup/steps/1');
    const missing = await get('/setup/mapping', { cookie });
    expect([missing.status, missing.text.includes('lang="de"')]).toEqual([404, true]);
  });
});
