/** The pages of setup links in Chromium, for each provider with what it was seen to send. */
import { axe, eventually, launchBrowser, type TestStack } from '@gatehouse/testing';
import { type Browser, type Page } from 'playwright-core';
import { RECORDED_PROVIDERS, replay } from './recorded-traffic.js';
import { check, choose, overflowAt, press, visitWith } from './setup-page.js';
import {
  manage,
  newDirectory,
  openSyncStack,
  type Service,
  type TestDirectory,
} from './sync-stack.js';

let stack: TestStack;
let api: Service;
let other: Service;
let browser: Browser;
let directory: TestDirectory;

beforeAll(async () => {
  // A browser keeps cookies of https from a test over http.
  stack = await openSyncStack({
    settings: { EXTERNAL_URL: 'http://sync.example.com', THEME_NAME: 'Acme Shop' },
  });
  [api, other] = await Promise.all([stack.start('dsync-api'), stack.start('dsync-api')]);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack.close();
});
beforeEach(async () => {
  directory = await newDirectory(api);
});

async function newLink(input: object = {}): Promise<{ id: string; path: string; secret: string }> {
  const { status, body, text } = await manage(api, 'POST', '/setup-links', {
    directory_id: directory.id,
    ...input,
  });
  if (status !== 201) throw new Error(text);
  const path = new URL(body.data.url).pathname;
  const secret = path.slice('/setup/'.length);
  stack.secrets.add(secret);
  return { id: body.data.id, path, secret };
}

const visit = (path: string, act: (page: Page) => Promise<void>, options = {}) =>
  visitWith(browser, api.url + path, act, options);

async function createToken(page: Page): Promise<string> {
  while ((await page.locator('.token').count()) === 0) {
    await page.getByRole('link', { name: 'Continue' }).click();
  }
  await press(page, 'Create a token');
  const token = (await page.locator('.token .copied').textContent()) ?? '';
  stack.secrets.add(token);
  return token;
}

it.each(RECORDED_PROVIDERS)('%s: from the link to the proof', async (provider) => {
  const { id, path } = await newLink();
  await visit(path, async (page) => {
    await choose(page, provider);
    const token = await createToken(page);
    const names = await page.locator('.instructions .copied').allTextContents();
    expect(names.join(' ')).not.toContain(token);
    expect(names.join(' ')).toContain(`http://sync.example.com${directory.path}`);
    expect(await overflowAt(page, 320)).toBe(0);
    // Shown once: leaving and coming back does not show it again.
    await page.goto(`${api.url}/setup/token`);
    expect(await page.content()).not.toContain(token);

    await page.goto(`${api.url}/setup/check`);
    expect(await page.locator('.checks .is-seen').count()).toBe(0);
    await replay(provider, other.url + directory.path, token);
    await eventually(async () => {
      await page.goto(`${api.url}/setup/check?refresh=off`);
      expect(await page.locator('.checks .is-seen').count()).toBe(3);
    });
    expect(await axe(page)).toEqual([]);
    await press(page, 'Finish');
    await page.waitForURL('**/setup/done');
  });
  const { body } = await manage(other, 'GET', `/setup-links/${id}`);
  expect(body.data).toMatchObject({ state: 'completed', provider });
});

it('axe-core finds nothing on any page, in light and dark, and all fit 320 px', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    // Few requests without a valid token are logged per directory.
    directory = await newDirectory(api);
    const { path } = await newLink();
    await visit(
      path,
      async (page) => {
        await check(page);
        await press(page, 'Continue');
        await check(page);
        await press(page, 'Continue');
        expect(await page.locator('#provider-fault').count()).toBe(1);
        await check(page);
        await page.locator('#provider-rippling').check();
        await press(page, 'Continue');
        await check(page);
        await createToken(page);
        await check(page);
        const wrong = 'a-wrong-token-of-forty-three-characters-xxx';
        await replay('okta', other.url + directory.path, wrong);
        await eventually(async () => {
          await page.goto(`${api.url}/setup/check?refresh=off`);
          expect(await page.locator('.refused').count()).toBe(1);
        });
        await check(page);
        await page.goto(`${api.url}/setup/nothing`);
        await check(page);
      },
      { colorScheme },
    );
  }
});

it('is operated by keyboard alone', async () => {
  const { path } = await newLink();
  await visit(path, async (page) => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/setup/provider');
    for (let tabs = 0; tabs < 3; tabs += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate<boolean>(`document.activeElement.type === 'radio'`)) break;
    }
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/setup/steps/1');
  });
});

it('says in the words of the provider what to change for refused requests', async () => {
  const { path } = await newLink({ locale: 'de' });
  await visit(path, async (page) => {
    await press(page, 'Weiter');
    await page.locator('#provider-entra').check();
    await press(page, 'Weiter');
    await directory.scim('POST', '/Users', { userName: 'ann' });
    await directory.scim('POST', '/Users', { userName: 'ann' });
    await directory.scim('POST', '/Users', { displayName: 'no name' });
    await directory.scim('GET', '/Users?filter=userName%20is%20%22ann%22');
    await eventually(async () => {
      await page.goto(`${api.url}/setup/check?refresh=off`);
      expect(await page.locator('.refused li').count()).toBe(3);
    });
    const text = (await page.locator('.refused').textContent()) ?? '';
    for (const part of ['409 uniqueness', 'userName', 'Provisioning > Attribute mapping']) {
      expect(text).toContain(part);
    }
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
  });
});

describe('a link', () => {
  const get = (path: string, headers = {}) => api.http.send('GET', path, { headers });
  const post = (path: string, form = {}, headers = {}) =>
    other.http.send('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    });
  const opened = async (path: string) => {
    const { status, headers } = await post(path);
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    stack.secrets.add(cookie.split('=')[1] ?? '');
    return { status, cookie };
  };

  it('is not opened by programs that follow links, and lets one cookie in', async () => {
    const { path } = await newLink();
    for (let visits = 0; visits < 3; visits += 1) expect((await get(path)).status).toBe(200);
    expect((await api.http.send('HEAD', path)).status).toBe(200);
    // As if the answer with the first cookie was lost.
    const cookies = [(await opened(path)).cookie, (await opened(path)).cookie];
    const entered = await Promise.all(cookies.map((cookie) => get('/setup/provider', { cookie })));
    expect(entered.map(({ status }) => status)).toEqual([410, 200]);
    expect([(await opened(path)).status, (await get(path)).status]).toEqual([410, 410]);
  });

  it('leads its browser back into the session, and no other', async () => {
    const { path } = await newLink();
    const { cookie } = await opened(path);
    expect((await get(path, { cookie })).headers.get('location')).toBe('/setup/provider');
    expect((await post(path, {}, { cookie })).headers.get('location')).toBe('/setup/provider');
    const foreign = await opened((await newLink()).path);
    expect((await get(path, { cookie: foreign.cookie })).status).toBe(410);
  });

  it('leads back to the step that was shown last, on every replica', async () => {
    const { path } = await newLink({ allow: ['token', 'mapping'], attributes: ['rank'] });
    const { cookie } = await opened(path);
    const { text } = await get('/setup/provider', { cookie });
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
    stack.secrets.add(csrf_token);
    await post('/setup/provider', { csrf_token, provider: 'okta' }, { cookie });
    for (const step of ['/setup/steps/2', '/setup/mapping', '/setup/check', '/setup/steps/4']) {
      expect((await get(step, { cookie })).status).toBe(200);
      // Neither a page that is no step, nor one that does not exist.
      await get('/setup/token', { cookie });
      await get('/setup/steps/9', { cookie });
      expect((await post(path, {}, { cookie })).headers.get('location')).toBe(step);
    }
    // Another provider has other steps.
    await post('/setup/provider', { csrf_token, provider: 'other' }, { cookie });
    expect((await get(path, { cookie })).headers.get('location')).toBe('/setup/provider');
  });

  it('403: is not opened in a browser that keeps no cookies, and works once it does', async () => {
    const { path } = await newLink({ locale: 'de' });
    const page = await get(path);
    const probe = page.headers.get('set-cookie')?.split(';')[0] ?? '';
    const browser = { 'sec-fetch-site': 'same-origin' };
    const blocked = await post(path, {}, browser);
    expect([blocked.status, blocked.text]).toEqual([
      403,
      expect.stringContaining('Ihr Browser blockiert Cookies'),
    ]);
    expect(blocked.headers.get('set-cookie')).toBeNull();
    expect((await post(path, {}, { ...browser, cookie: probe })).status).toBe(303);
    expect((await get('/setup/provider', { cookie: probe })).status).toBe(410);
  });

  it('ends with its session as soon as it is revoked', async () => {
    const { id, path } = await newLink();
    const { cookie } = await opened(path);
    expect((await get('/setup/provider', { cookie })).status).toBe(200);
    await manage(other, 'DELETE', `/setup-links/${id}`);
    const { status, text } = await get('/setup/provider', { cookie });
    expect([status, text]).toEqual([410, expect.stringContaining('does not work any more')]);
  });

  it('403: a submission of another site, or without the token of the form', async () => {
    const { path } = await newLink();
    expect((await post(path, {}, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(path, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const { cookie } = await opened(path);
    for (const form of [{}, { csrf_token: 'x' }, { csrf_token: 'x'.repeat(43) }]) {
      expect((await post('/setup/token', form, { cookie })).status).toBe(403);
    }
  });

  it('404, 410, 413, 415: what no page accepts', async () => {
    const { path } = await newLink();
    expect((await get('/setup/short')).status).toBe(404);
    expect((await get(`/setup/${'x'.repeat(43)}`)).status).toBe(410);
    expect((await get('/setup/provider')).status).toBe(410);
    expect((await get('/setup/provider', { cookie: 'gatehouse_setup=x' })).status).toBe(410);
    expect((await post(path, { a: 'x'.repeat(70_000) })).status).toBe(413);
    expect((await post(path, {}, { 'content-type': 'application/json' })).status).toBe(415);
  });

  it('429: more requests than a person sends, for one link only', async () => {
    const [one, two] = [await newLink(), await newLink()];
    const answers = await Promise.all(Array.from({ length: 130 }, () => get(one.path)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    expect((await get(two.path)).status).toBe(200);
  });

  it('has pages without scripts, frames, or anything of others, and that are not stored', async () => {
    const { path } = await newLink();
    const { headers, text } = await get(path);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; " +
        "frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(text).not.toMatch(/<script|style=|https?:\/\/(?!www\.w3\.org)/);
    expect(text).toContain('Acme Shop');
  });

  it('over https, its cookie is bound to the host, and hidden from scripts', async () => {
    const secure = await stack.start('dsync-api', { EXTERNAL_URL: 'https://sync.example.com/x' });
    const { path } = await newLink();
    const { headers } = await secure.http.send('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const cookie = headers.get('set-cookie') ?? '';
    stack.secrets.add(cookie.split(/[=;]/)[1] ?? '');
    expect(cookie).toMatch(
      /^__Host-gatehouse_setup=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(headers.get('location')).toBe('/x/setup/provider');
  });

  it('leads to return_url once it is completed, also when it is opened again', async () => {
    const { path } = await newLink({ return_url: 'https://app.example.com/settings?a=1' });
    const { cookie } = await opened(path);
    const { text } = await get('/setup/provider', { cookie });
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
    stack.secrets.add(csrf_token);
    const tooEarly = await post('/setup/complete', { csrf_token }, { cookie });
    expect(tooEarly.headers.get('location')).toBe('/setup/check');
    await directory.scim('GET', '/Users');
    await eventually(async () => {
      const { headers, text: check } = await get('/setup/check', { cookie });
      expect(check).toContain('Finish');
      expect(headers.get('refresh')).toBe('10');
    });
    const { status, headers } = await post('/setup/complete', { csrf_token }, { cookie });
    expect([status, headers.get('location')]).toEqual([303, '/setup/done']);
    const done = await get('/setup/done', { cookie });
    expect(done.status).toBe(200);
    const again = [
      await get('/setup/check', { cookie }),
      await post('/setup/complete', { csrf_token }, { cookie }),
      await get(path, { cookie }),
      await get(path),
    ];
    expect(again.map((answer) => answer.status)).toEqual([410, 410, 410, 410]);
    for (const answer of [done, ...again]) {
      expect(answer.text).toContain('The setup is finished');
      expect(answer.text).toContain('href="https://app.example.com/settings?a=1"');
    }
    // A link that was only opened, or revoked, is no setup that is finished.
    const { id, path: revoked } = await newLink({ return_url: 'https://app.example.com/' });
    const open = await opened(revoked);
    expect((await get('/setup/provider', { cookie: open.cookie })).status).toBe(200);
    await manage(api, 'DELETE', `/setup-links/${id}`);
    for (const answer of [await get(revoked), await get('/setup/check', open)]) {
      expect([answer.status, answer.text]).toEqual([
        410,
        expect.stringContaining('href="https://app.example.com/"'),
      ]);
      expect(answer.text).not.toContain('finished');
    }
  });
});
