/** Who gets into the console, and what they may do there. */
import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import { type ConsoleStack, openConsole } from './console-browser.js';

let database: TestDatabase;
let stack: ConsoleStack;

beforeAll(async () => {
  database = await createTestDatabase();
  stack = await openConsole(database);
});

afterAll(async () => {
  await stack?.close();
  await database?.drop();
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
