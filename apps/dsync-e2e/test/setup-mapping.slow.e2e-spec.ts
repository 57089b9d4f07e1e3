/** The step of setup pages that maps attributes, in Chromium; and how many requests strangers may send. */
import { axe, launchBrowser, type TestStack } from '@gatehouse/testing';
import { type Browser } from 'playwright-core';
import { check, choose, press } from './setup-page.js';
import { manage, newDirectory, openSyncStack, type Service } from './sync-stack.js';

let stack: TestStack;
let api: Service;
let browser: Browser;

beforeAll(async () => {
  // A browser keeps cookies of https from a test over http.
  stack = await openSyncStack({
    settings: {
      EXTERNAL_URL: 'http://sync.example.com',
      CLIENT_IP_SOURCE: 'x-real-ip',
      TRUSTED_PROXIES: '127.0.0.1/32',
    },
  });
  api = await stack.start('dsync-api');
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack.close();
});

it('asks where attributes are sent, and says what it cannot read', async () => {
  const directory = await newDirectory(api);
  const { body } = await manage(api, 'POST', '/setup-links', {
    directory_id: directory.id,
    allow: ['token', 'mapping'],
    attributes: ['rank', 'unit'],
  });
  const { pathname } = new URL(body.data.url);
  stack.secrets.add(pathname.slice('/setup/'.length));
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  const stored = async () => {
    const answer = await manage(api, 'GET', `/${directory.id}`);
    return (answer.body.data as { attribute_mapping?: object }).attribute_mapping;
  };
  try {
    await page.goto(api.url + pathname);
    await choose(page, 'okta');
    while (!page.url().endsWith('/setup/mapping')) {
      await page.getByRole('link', { name: 'Continue' }).click();
    }
    await check(page);
    expect(await page.locator('.primary').textContent()).toBe('Save and continue');
    await page.getByRole('link', { name: 'Skip' }).click();
    await page.waitForURL('**/setup/check');
    await page.getByRole('link', { name: 'Back' }).click();
    const stale = await context.newPage();
    await stale.goto(page.url());

    await page.getByLabel('rank').fill('emails[type eq');
    await page.getByLabel('unit').fill('department');
    await press(page, 'Save and continue');
    expect(await page.locator('.has-fault').count()).toBe(1);
    expect(await page.locator(':focus').getAttribute('name')).toBe('path.rank');
    expect(await page.getByLabel('unit').inputValue()).toBe('department');
    expect(await axe(page)).toEqual([]);
    expect(await stored()).toBeUndefined();

    await page.getByLabel('rank').fill('title');
    await press(page, 'Save and continue');
    await page.waitForURL('**/setup/check');
    expect(await stored()).toEqual({ rank: 'title', unit: 'department' });

    await stale.getByLabel('rank').fill('nickName');
    await press(stale, 'Save and continue');
    expect(await stale.locator('[role=alert]').count()).toBe(1);
    expect(await stale.getByLabel('rank').inputValue()).toBe('title');
    expect(await stored()).toEqual({ rank: 'title', unit: 'department' });
  } finally {
    await context.close();
  }
});

it('429: a network that tries secrets and cookies, and no other one', async () => {
  const unknown = 'x'.repeat(43);
  const statusOf = async (method: string, path: string, headers: Record<string, string>) =>
    (await api.http.send(method, path, { headers })).status;
  const from = (address: string, count: number, path = `/setup/${unknown}`, headers = {}) =>
    Promise.all(
      Array.from({ length: count }, () =>
        statusOf('GET', path, { 'x-real-ip': address, ...headers }),
      ),
    );
  expect(new Set(await from('2001:db8::1', 200))).toEqual(new Set([410]));
  const cookie = `gatehouse_setup=${unknown}`;
  const answers = await from('2001:db8::2', 120, '/setup/provider', { cookie });
  expect(answers.filter((status) => status === 429)).toHaveLength(20);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const posted = statusOf('POST', `/setup/${unknown}`, { ...form, 'x-real-ip': '2001:db8::3' });
  expect(await posted).toBe(429);
  expect(await from('198.51.100.7', 1)).toEqual([410]);

  const directory = await newDirectory(api);
  const { body } = await manage(api, 'POST', '/setup-links', { directory_id: directory.id });
  const { pathname } = new URL(body.data.url);
  stack.secrets.add(pathname.slice('/setup/'.length));
  const opened = await api.http.send('POST', pathname, {
    headers: { ...form, 'x-real-ip': '198.51.100.7' },
  });
  const session = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  stack.secrets.add(session.split('=')[1] ?? '');
  expect(await from('2001:db8::1', 1, '/setup/provider', { cookie: session })).toEqual([200]);
});
