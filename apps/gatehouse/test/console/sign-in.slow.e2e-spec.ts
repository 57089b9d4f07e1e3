/** Who gets into the console, and what they may do there. */
import { type ConsoleStack, openConsole } from './console-browser.js';

let stack: ConsoleStack;

beforeAll(async () => {
  stack = await openConsole();
});

afterAll(async () => {
  await stack?.close();
});

it('a key signs in, leads to the page that was asked for, and signs out', async () => {
  const person = await stack.open();
  await person.page.goto('/console/access');
  expect(await person.page.getByRole('heading', { level: 1 }).innerText()).toBe('Sign in');
  await person.page.getByLabel('Administrator key').fill('a wrong key');
  await person.page.getByRole('button', { name: 'Sign in' }).click();
  await person.page.getByText('No service accepts this key').waitFor();
  expect(await person.faults()).toEqual([]);
  await person.signIn();
  await person.go('/access');
  expect(await person.title).toBe('Who has access');
  expect(await person.faults()).toEqual([]);
  await person.press('Sign out');
  await person.press('Sign out', person.page.getByRole('main'));
  await person.page.getByText('You are signed out.').waitFor();
  await person.go('/access');
  expect(await person.title).toBe('Sign in');
});

it('works without scripts: each section, the search, and an act', async () => {
  await stack.administrator.issue({ name: 'Nightly report' });
  const person = await stack.open({ javaScriptEnabled: false });
  await person.signIn();
  const main = person.page.getByRole('main');
  const titles = {
    Keys: 'Keys',
    People: 'People',
    Directories: 'Directories',
    Webhooks: 'Webhook endpoints',
    Forms: 'Forms',
    'Audit log': 'Audit log',
    Access: 'Who has access',
    Overview: 'Overview',
  };
  for (const [name, title] of Object.entries(titles)) {
    await person.press(name, person.page.getByRole('navigation', { name: 'Sections' }));
    expect(await person.title).toBe(title);
  }
  await person.search('nightly');
  await person.press('Nightly report', main);
  expect(await main.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  await person.press('Pause');
  await person.page.getByText('The change was saved.').waitFor();
});
