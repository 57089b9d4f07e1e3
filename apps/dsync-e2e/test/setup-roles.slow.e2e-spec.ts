/** The step of setup pages that gives roles to groups, and how they refuse a third token, in Chromium. */
import { axe, eventually, launchBrowser, type TestStack } from '@gatehouse/testing';
import { type Browser, type Page } from 'playwright-core';
import { check, choose, press } from './setup-page.js';
import {
  manage,
  newDirectory,
  openSyncStack,
  type Service,
  type TestDirectory,
} from './sync-stack.js';

let stack: TestStack;
let api: Service;
let browser: Browser;
let directory: TestDirectory;

beforeAll(async () => {
  // A browser keeps cookies of https from a test over http.
  stack = await openSyncStack({ settings: { EXTERNAL_URL: 'http://sync.example.com' } });
  api = await stack.start('dsync-api');
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack.close();
});
beforeEach(async () => {
  directory = await newDirectory(api);
});

async function visit(input: object, act: (page: Page) => Promise<void>): Promise<void> {
  const link = { directory_id: directory.id, ...input };
  const { body } = await manage(api, 'POST', '/setup-links', link);
  const { pathname } = new URL(body.data.url);
  stack.secrets.add(pathname.slice('/setup/'.length));
  const context = await browser.newContext({ locale: 'en-GB' });
  try {
    const page = await context.newPage();
    await page.goto(api.url + pathname);
    await choose(page, 'okta');
    await act(page);
  } finally {
    await context.close();
  }
}
async function rulesOf(): Promise<object[]> {
  const { body } = await manage(api, 'GET', `/${directory.id}/role-mappings`);
  return body.data?.rules ?? [];
}

it('after the check, gives roles to groups once their effect was shown, and finishes', async () => {
  await visit({ allow: ['roles'], roles: ['admin', '<b>'] }, async (page) => {
    await page.goto(`${api.url}/setup/roles`);
    expect(await page.locator('select').count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    const { body: ann } = await directory.scim('POST', '/Users', { userName: 'ann' });
    const members = [{ value: ann.id }];
    await directory.scim('POST', '/Groups', { displayName: 'Admins', members });
    await directory.scim('POST', '/Groups', { displayName: 'Staff & <i>', members });
    await eventually(async () => {
      await page.goto(`${api.url}/setup/check?refresh=off`);
      expect(await page.locator('.checks .is-seen').count()).toBe(3);
    });
    expect(await page.getByRole('button', { name: 'Finish' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL('**/setup/roles');

    // The primary button takes the choice along: it shows what changes, instead of dropping it.
    await page.getByLabel('Admins').selectOption('admin');
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await press(page, 'Finish');
    expect(await page.locator('.preview').textContent()).toContain('1 user gets admin');
    expect(await page.getByLabel('Admins').inputValue()).toBe('0');
    expect(await page.locator('.primary').textContent()).toBe('Save and finish');
    await check(page);
    // Another choice than the one that was shown is shown first.
    await page.getByLabel('Staff & <i>').selectOption('<b>');
    await press(page, 'Save and finish');
    expect(await page.locator('.preview li').count()).toBe(2);
    expect(await rulesOf()).toEqual([]);
    await press(page, 'Save and finish');
    await page.waitForURL('**/setup/done');
    expect((await rulesOf()).map((rule) => (rule as { role: string }).role)).toEqual([
      'admin',
      '<b>',
    ]);
  });
  await eventually(async () => {
    const { body } = await manage(api, 'GET', `/users?directoryId=${directory.id}`);
    expect([...body.data[0].roles].sort()).toEqual(['<b>', 'admin']);
  });
});

it('finishes at once if nothing was chosen, and without saving only if that is said', async () => {
  const finish = (act: (page: Page) => Promise<void>) =>
    visit({ allow: ['roles'], roles: ['admin'] }, async (page) => {
      await directory.scim('GET', '/Users');
      await eventually(async () => {
        await page.goto(`${api.url}/setup/check?refresh=off`);
        expect(await page.getByRole('link', { name: 'Continue' }).count()).toBe(1);
        await page.goto(`${api.url}/setup/roles`);
        expect(await page.locator('.primary').textContent()).toBe('Finish');
      });
      await act(page);
      await page.waitForURL('**/setup/done');
    });
  await finish((page) => press(page, 'Finish'));
  await directory.scim('POST', '/Groups', { displayName: 'Admins' });
  await finish((page) => press(page, 'Finish'));
  await finish(async (page) => {
    await page.getByLabel('Admins').selectOption('admin');
    await press(page, 'Show what changes');
    await press(page, 'Finish without saving');
  });
  expect(await rulesOf()).toEqual([]);
});

it('before a request was accepted, saves a choice that was shown, unless it is stale', async () => {
  await directory.scim('POST', '/Groups', { displayName: 'Staff' });
  await visit({ allow: ['roles'], roles: ['admin'] }, async (page) => {
    await page.goto(`${api.url}/setup/roles`);
    const stale = await page.context().newPage();
    await stale.goto(page.url());
    await page.getByLabel('Staff').selectOption('admin');
    await press(page, 'Save');
    expect(await rulesOf()).toEqual([]);
    await press(page, 'Save');
    await page.waitForURL('**/setup/roles?saved=true');
    expect(await rulesOf()).toHaveLength(1);
    await press(stale, 'Save');
    expect(await stale.locator('[role=alert]').count()).toBe(1);
    expect(await stale.getByLabel('Staff').inputValue()).toBe('0');
  });
});

it('404 unless the link allows it, 400 for a role that it does not have', async () => {
  await visit({ allow: ['token'] }, async (page) => {
    const answer = await page.goto(`${api.url}/setup/roles`);
    expect(answer?.status()).toBe(404);
  });
  await directory.scim('POST', '/Groups', { displayName: 'Staff' });
  await visit({ allow: ['roles'], roles: ['admin'] }, async (page) => {
    for (const position of ['1', '-1', '0x0', 'constructor', 'admin']) {
      await page.goto(`${api.url}/setup/roles`);
      await page.evaluate(
        `document.querySelector('select').innerHTML = '<option value="${position}" selected>x</option>'`,
      );
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'POST'),
        press(page, 'Show what changes'),
      ]);
      expect([position, answer.status()]).toEqual([position, 400]);
    }
  });
  expect(await rulesOf()).toEqual([]);
});

it('409: says in place why there is no third token while two are in use', async () => {
  const lastUse = async () => {
    const { body } = await manage(api, 'GET', `/${directory.id}/scim-tokens`);
    return (body.data as { last_used_at: string | null }[])[0]?.last_used_at;
  };
  await visit({}, async (page) => {
    while ((await page.locator('.token').count()) === 0) {
      await page.getByRole('link', { name: 'Continue' }).click();
    }
    const step = page.url();
    for (let tokens = 0; tokens < 2; tokens += 1) {
      await page.goto(step);
      await press(page, 'Create a token');
      const token = (await page.locator('.token .copied').textContent()) ?? '';
      stack.secrets.add(token);
      const headers = { authorization: `Bearer ${token}` };
      expect((await api.http.send('GET', `${directory.path}/Users`, { headers })).status).toBe(200);
      await eventually(async () => expect(await lastUse()).toEqual(expect.any(String)));
    }
    await page.goto(step);
    await press(page, 'Create a token');
    expect(await page.locator('[role=alert]').textContent()).toContain('Two tokens');
    expect(await page.locator('.token .copied').count()).toBe(0);
    expect(await axe(page)).toEqual([]);
  });
});
