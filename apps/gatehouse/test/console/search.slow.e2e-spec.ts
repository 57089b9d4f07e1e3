/** The search of the console, and what its browser module adds to all pages. */
import { createGatehouse, type Gatehouse } from '@gatehouse/client';
import { type ConsolePerson, eventually } from '@gatehouse/testing';
import { ADMIN_KEY } from '../gate.js';
import { type ConsoleStack, openConsole } from './console-browser.js';

const HOSTILE = `<script>alert(1)</script>\u202e${'x'.repeat(200)}`;
const SCHEMA = {
  type: 'object',
  title: 'Join us',
  properties: {
    traits: {
      type: 'object',
      properties: { email: { type: 'string', format: 'email', 'x-identifier': true } },
    },
  },
};

let stack: ConsoleStack;
let gatehouse: Gatehouse;
let person: ConsolePerson;

beforeAll(async () => {
  stack = await openConsole();
  gatehouse = createGatehouse({ url: stack.gate.process.adminUrl, key: ADMIN_KEY });
  await gatehouse.schemas.register({ id: 'join', schema: SCHEMA });
  person = await stack.open({ timezoneId: 'Asia/Tokyo' });
  await person.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await person.signIn();
});

afterAll(async () => {
  await stack?.close();
});

const main = (who = person) => who.page.getByRole('main');
const palette = () => person.page.getByRole('dialog', { name: 'Search' });
const focused = () => person.page.locator(':focus');
const pathNow = () => new URL(person.page.url()).pathname;

async function withoutFaults(): Promise<void> {
  const { page } = person;
  for (const width of [1_280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect([page.url(), width, await person.faults()]).toEqual([page.url(), width, []]);
  }
  await page.setViewportSize({ width: 1_280, height: 800 });
}

async function issue(name: string, actor_id: string): Promise<string> {
  return (await gatehouse.keys.issue({ name, actor_id })).issued_api_key.key_id;
}

it('finds records of several services by one text, by kind, with links', async () => {
  const { id } = await gatehouse.identities.create({
    schema_id: 'join',
    traits: { email: 'ada@example.com' },
  });
  const keyId = await issue('ada@example.com of CI', 'ada@example.com');
  await person.start();
  await person.search('ada@example.com');
  for (const [kind, path] of [
    ['Keys', `/console/keys/${keyId}`],
    ['People', '/console/people?id=ada%40example.com'],
    ['Identities', `/console/forms/identities/${id}`],
  ] as const) {
    const heading = person.page.getByRole('heading', { name: kind, exact: true });
    const links = main().locator('section').filter({ has: heading }).getByRole('link');
    expect(await links.first().getAttribute('href')).toBe(path);
  }
  await withoutFaults();
});

it('leads to the one record that has an id at once', async () => {
  const { id } = await gatehouse.identities.create({
    schema_id: 'join',
    traits: { email: 'one@example.com' },
  });
  await person.start();
  await person.search(id);
  await person.page.getByRole('heading', { level: 1, name: id }).waitFor();
  expect([pathNow(), person.clicks]).toEqual([`/console/forms/identities/${id}`, 1]);
});

it('names a service that refuses, and shows what others found', async () => {
  const { secret } = await gatehouse.keys.issue({ name: 'pasted', actor_id: 'pasted' });
  await person.go(`/search?q=${encodeURIComponent(secret)}`);
  await main().getByText('Keys could not be searched').waitFor();
  await main().getByText('its preview is enough').waitFor();
  await withoutFaults();
});

it('says what can be searched for when nothing is found', async () => {
  for (const query of [
    '',
    '%20',
    'q=',
    'q=no-such-thing',
    'q=%00',
    `q=${'%E2%80%AE'.repeat(300)}`,
  ]) {
    await person.go(`/search?${query}`);
    await main().getByText('An id, the last characters of a key').waitFor();
  }
  await withoutFaults();
});

it('shows hostile texts as texts, and leaves out services that a person may not read', async () => {
  await issue(HOSTILE, 'hostile');
  await person.go(`/search?q=${encodeURIComponent('<script>alert')}`);
  expect(await main().getByRole('link', { name: '<script>alert(1)</script>' }).count()).toBe(1);
  await withoutFaults();
  const scopes = ['forms:read'];
  const { secret } = await gatehouse.keys.issue({ name: 'reader', actor_id: 'reader', scopes });
  const reader = await stack.open();
  await reader.signIn(secret);
  await reader.search('Join us');
  expect(await main(reader).getByRole('link', { name: 'Join us' }).count()).toBe(1);
  expect(await main(reader).getByText('could not be searched').count()).toBe(0);
  await reader.context.close();
});

it('opens as a palette by key, with arrows, and gives the focus back', async () => {
  await issue('palette one', 'palette');
  await issue('palette two', 'palette');
  await person.go('/forms');
  const { page } = person;
  const schemas = page.getByRole('link', { name: 'Identities' });
  await schemas.focus();
  await page.keyboard.press('/');
  await palette().getByRole('searchbox').waitFor();
  await page.keyboard.type('palette /');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await palette().getByRole('link', { name: 'palette one' }).waitFor();
  expect(await person.faults()).toEqual([]);
  await page.keyboard.press('ArrowUp');
  const last = await focused().innerText();
  await page.keyboard.press('ArrowDown');
  expect(await focused().getAttribute('type')).toBe('search');
  expect(last).not.toBe('');
  await page.keyboard.press('Escape');
  expect(await palette().count()).toBe(0);
  expect(await focused().innerText()).toBe('Identities');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('ArrowDown');
  const target = await focused().getAttribute('href');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${target}`);
});

it('copies a value, and writes times in the zone of the reader', async () => {
  const { page } = person;
  const { id } = await gatehouse.identities.create({
    schema_id: 'join',
    traits: { email: 'copied@example.com' },
  });
  await person.go(`/forms/identities/${id}`);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(id);
  await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
  const cookies = await person.context.cookies(page.url());
  expect(cookies.find(({ name }) => name === 'gatehouse_zone')?.value).toBe('Asia/Tokyo');
  expect(await main().getByText(/UTC/).count()).toBeGreaterThan(0);
});

it('refreshes a part, keeps the focus, and stops when the person is away', async () => {
  const watcher = await stack.open();
  await watcher.signIn();
  const { page } = watcher;
  await page.clock.install();
  // Parts of other pages have the attribute; the results of a search have an id.
  await page.addInitScript(
    `document.addEventListener('readystatechange', () => {
      if (document.readyState === 'interactive') document.querySelector('#hits')?.setAttribute('data-live', '5');
    });`,
  );
  let refreshed = 0;
  page.on('request', (request) => (refreshed += request.resourceType() === 'fetch' ? 1 : 0));
  await watcher.go('/search?q=watched');
  await issue('watched one', 'watched');
  await page.clock.fastForward(5_000);
  await main(watcher).getByRole('link', { name: 'watched one' }).waitFor();
  await main(watcher).getByRole('link', { name: 'watched one' }).focus();
  await issue('watched two', 'watched');
  await page.clock.fastForward(5_000);
  await eventually(() => Promise.resolve(expect(refreshed).toBe(2)));
  expect(await page.locator(':focus').innerText()).toBe('watched one');
  await page.getByRole('link', { name: 'Sign out' }).focus();
  await page.clock.fastForward(5_000);
  await main(watcher).getByRole('link', { name: 'watched two' }).waitFor();
  await page.clock.fastForward(11 * 60_000);
  const before = refreshed;
  await page.clock.fastForward(60_000);
  expect(refreshed).toBe(before);
  await watcher.context.close();
});
