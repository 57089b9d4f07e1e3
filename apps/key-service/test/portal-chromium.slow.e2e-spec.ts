/** The pages of the portal in Chromium: without scripts, by keyboard, on a phone, and for axe-core. */
import { axe, launchBrowser } from '@gatehouse/testing';
import { type Browser, type Page } from 'playwright-core';
import { ADMIN_KEY, bearer, type KeyServiceStack, startKeyService } from './key-stack.js';

let service: KeyServiceStack;
let browser: Browser;

beforeAll(async () => {
  // A browser keeps cookies of https from a test over http.
  const EXTERNAL_URL = 'http://keys.example.com';
  service = await startKeyService({ ADMIN_API_KEYS: ADMIN_KEY, EXTERNAL_URL });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service.close();
});

async function newSession(fields: object = {}): Promise<string> {
  const { body } = await service.admin(
    ...(['POST', '/portalSessions', { actor_id: 'user_1', ...fields }] as const),
    { headers: bearer(ADMIN_KEY) },
  );
  return new URL(body.url as string).pathname;
}

const urlOf = (path: string): string => (service.replicas[0]?.http.url ?? '') + path;
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

async function check(page: Page): Promise<void> {
  expect(await axe(page)).toEqual([]);
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect([page.url(), width, overflow]).toEqual([page.url(), width, 0]);
  }
}

it.each(['light', 'dark'] as const)(
  'axe-core finds nothing in %s, and all fits 320 px',
  async (colorScheme) => {
    const path = await newSession({
      actor_id: `user_${colorScheme}`,
      scopes: ['invoices:read', 'x'.repeat(100)],
    });
    const context = await browser.newContext({ locale: 'en-GB', colorScheme });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Refused/i.test(message.text())) complaints.push(message.text());
    });
    try {
      await page.goto(urlOf(path));
      await check(page);
      await press(page, 'Continue');
      await check(page);
      for (const name of ['Nightly report', 'W'.repeat(255), 'مفتاح التقرير 🗝️']) {
        await page.goto(urlOf('/portal/keys/new'));
        await check(page);
        await page.getByLabel('Name').fill(name);
        await press(page, 'Create a key');
        await check(page);
        await page.goto(urlOf('/portal/keys'));
      }
      await check(page);
      await page.locator('.keys a').first().click();
      await check(page);
      await press(page, 'Replace: this key works');
      await check(page);
      await page.goto(urlOf('/portal/keys'));
      await page.locator('.keys a').first().click();
      await press(page, 'Replace now');
      await check(page);
      await page.getByRole('link', { name: 'Cancel' }).click();
      await press(page, 'Revoke');
      await check(page);
      expect(await page.locator('.primary').textContent()).toBe('Revoke');
      await press(page, 'Revoke');
      await check(page);
      expect(await page.locator('[role=status]').textContent()).toContain('within an hour');
      await page.goto(urlOf('/portal/nothing'));
      await check(page);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  },
);

it('is operated by keyboard alone, and shows a secret once', async () => {
  const path = await newSession({ scopes: [] });
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  try {
    await page.goto(urlOf(path));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/portal/keys');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/portal/keys/new');
    await page.keyboard.press('Tab');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    const secret = (await page.locator('.token code').textContent()) ?? '';
    expect(secret.length).toBeGreaterThan(40);
    await page.reload();
    expect(await page.content()).not.toContain(secret);
    await page.goto(urlOf('/portal/keys'));
    expect(await page.locator('.keys li').count()).toBe(1);
    expect(await page.content()).not.toContain(secret);
  } finally {
    await context.close();
  }
});

it('plots how often a key was used, with a table, and the keys of others are not counted', async () => {
  const actor_id = 'user_usage';
  const issue = async (actor: string) => {
    const key = { name: 'Of the application', actor_id: actor };
    const headers = bearer(ADMIN_KEY);
    const { body } = await service.admin('POST', '/issuedApiKeys', key, { headers });
    return body.issued_api_key.key_id as string;
  };
  const [mine, other] = [await issue(actor_id), await issue('another')];
  const count = (key: string, outcome: number, number: number) =>
    service.database.query(
      `INSERT INTO keys.usage (level, series, at, subject, tag, outcome, limit_name, actor_id, count, cost)
       VALUES (3, 1, date_trunc('day', now(), 'UTC'), $1, '', $2, '', $3, $4, $4)`,
      [key, outcome, actor_id, number],
    );
  await count(mine, 0, 1_234);
  await count(mine, 4, 5);
  await count(other, 0, 777_777);
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  try {
    await page.goto(urlOf(await newSession({ actor_id })));
    await press(page, 'Continue');
    await page.locator('.keys a').first().click();
    expect(await page.locator('.usage rect').count()).toBe(2);
    expect(await page.getByRole('img').getAttribute('aria-label')).toContain('1,239');
    await page.getByText('As a table').click();
    const cells = await page.locator('.usage td').allTextContents();
    expect(cells).toEqual(['1,234', '5']);
    expect(await page.content()).not.toContain('777');
    await check(page);
  } finally {
    await context.close();
  }
});
