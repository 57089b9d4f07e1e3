/** Owners of keys in the console. */
import { type ConsolePerson, eventually } from '@gatehouse/testing';
import { type Administrator } from '../visitor.js';
import { type ConsoleStack, openConsole } from './console-browser.js';

let stack: ConsoleStack;
let administrator: Administrator;
let person: ConsolePerson;

beforeAll(async () => {
  stack = await openConsole();
  ({ administrator } = stack);
  person = await stack.open();
  await person.signIn();
});

afterAll(async () => {
  await stack?.close();
});

beforeEach(() => person.start());

const main = () => person.page.getByRole('main');

it('shows all of an owner, and opens the portal for them by a link that is shown once', async () => {
  const owner = 'users/42?x=1&y=%2F';
  await administrator.issue({ name: 'Of the owner', actor_id: owner });
  await person.press('People');
  expect(await person.faultsOfWidths()).toEqual([]);
  await person.enter('Owner', owner);
  expect(person.clicks).toBe(2);
  expect(await person.title).toBe(owner);
  expect(await person.section('Keys').getByRole('rowheader').allInnerTexts()).toEqual([
    'Of the owner',
  ]);
  await person.press('Create a portal session');
  await person.press('Create a portal session');
  expect(person.clicks).toBe(4);
  const url = await main().locator('.copied').innerText();
  expect(url).toMatch(/^https:\/\/gate\.example\.com\//);
  expect(await person.faultsOfWidths()).toEqual([]);
  expect(await person.sendAgain()).toBe(
    `/console/people?${new URLSearchParams({ id: owner }).toString()}`,
  );
  await person.press('See whether it was done');
  expect(await person.page.content()).not.toContain(url);
  expect(await main().getByRole('link', { name: 'End the session' }).count()).toBe(1);
  await person.press('End the session');
  expect(await person.faultsOfWidths()).toEqual([]);
  await person.press('End the session');
  await person.section('Portal sessions').getByText('No open portal session').waitFor();
});

it('names the person of a directory whose leaving paused a key', async () => {
  await administrator.linkKeys('acme');
  const provider = await administrator.newDirectory('http://127.0.0.1:9/', 'acme');
  const user = await provider.createUser('kim@example.com');
  const { secret } = await administrator.issue({ name: 'Of Kim', actor_id: user });
  await provider.deactivate(user);
  await eventually(async () =>
    expect(await administrator.verify(secret)).toMatchObject({ is_valid: false }),
  );
  await person.press('Keys');
  await person.press('Of Kim');
  expect(await person.page.locator('.lead').innerText()).toContain(
    '(because a directory deactivated or removed its owner)',
  );
  const href = await main()
    .getByRole('link', { name: 'deactivated or removed its owner' })
    .getAttribute('href');
  expect(href).toMatch(new RegExp(`^/console/directories/[^/]+/users/${user}$`));
  await person.press(user);
  expect(await person.section('In linked directories').getByRole('cell').allInnerTexts()).toEqual([
    'acme · shop',
    '▲ inactive',
    expect.any(String),
  ]);
  expect(await person.section('Keys').getByText('because a directory deactivated').count()).toBe(1);
  expect(await person.faultsOfWidths()).toEqual([]);
});

it('owners that others named do not change the pages', async () => {
  const owner = `<script>alert(1)</script>&'\u202e\u2066txet ${'w'.repeat(200)}`;
  await administrator.issue({ name: owner, actor_id: owner });
  const query = new URLSearchParams({ id: owner }).toString();
  for (const path of ['/people', '/people/session']) {
    await person.go(`${path}?${query}`);
    expect(await person.faultsOfWidths()).toEqual([]);
  }
  expect(await main().getByLabel('Owner').inputValue()).toBe(owner);
  for (const [path, status] of [
    ['/people?id=%00', 400],
    [`/people?id=${'x'.repeat(3_000)}`, 400],
    ['/people/sessions/x/end', 404],
  ] as const) {
    const answer = await person.page.request.get(`/console${path}`);
    expect([path, answer.status()]).toEqual([path, status]);
  }
});

it.each(['de', 'fr', 'es'])('the pages fit in the language %s', async (language) => {
  const { id } = await administrator.issue({ actor_id: 'anna', credits: { remaining: '5' } });
  await person.page.setExtraHTTPHeaders({ 'accept-language': language });
  for (const path of [`/keys/${id}`, '/people?id=anna']) {
    await person.go(path);
    expect(await person.page.locator('html').getAttribute('lang')).toBe(language);
    expect(await person.faultsOfWidths()).toEqual([]);
  }
});
