/** Forms in the console: their schemas, and the people who filled them in. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { createGatehouse, type Gatehouse } from '@gatehouse/client';
import { type ConsolePerson, eventually } from '@gatehouse/testing';
import { ADMIN_KEY } from '../gate.js';
import { type ConsoleStack, openConsole } from './console-browser.js';

const HOSTILE = `<script>alert(1)</script>\u202e${'x'.repeat(400)}`;

let stack: ConsoleStack;
let gatehouse: Gatehouse;
let person: ConsolePerson;

beforeAll(async () => {
  stack = await openConsole();
  gatehouse = createGatehouse({ url: stack.gate.process.adminUrl, key: ADMIN_KEY });
  person = await stack.open();
  await person.signIn();
});

afterAll(async () => {
  await stack?.close();
});

const schemaOf = (properties: object, title = 'Join us') => ({
  type: 'object',
  title,
  properties: { traits: { type: 'object', properties } },
});
const EMAIL = { type: 'string', format: 'email', title: 'E-mail', 'x-identifier': true };

async function addIdentity(schema_id: string, email: string, traits: object = {}): Promise<string> {
  return (await gatehouse.identities.create({ schema_id, traits: { email, ...traits } })).id;
}

const main = (who = person) => who.page.getByRole('main');
const preview = (who = person) => who.page.getByRole('region', { name: 'Preview' });

/** The status of a path as it is: browsers and fetch would resolve its dots. */
async function statusOf(path: string): Promise<number | undefined> {
  const cookies = await person.context.cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const { hostname, port } = new URL(stack.gate.process.adminUrl);
  const sent = request({ hostname, port, path, headers: { cookie } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

async function withoutFaults(): Promise<void> {
  const { page } = person;
  for (const width of [1_280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect([page.url(), width, await person.faults()]).toEqual([page.url(), width, []]);
  }
  await page.setViewportSize({ width: 1_280, height: 800 });
}

it('exports a person in three clicks', async () => {
  await gatehouse.schemas.register({ id: 'exported', schema: schemaOf({ email: EMAIL }) });
  const id = await addIdentity('exported', 'ada@example.com');
  await person.start();
  await person.search('ADA@example.com');
  await person.press('ada@example.com', main());
  expect(await person.title).toBe(id);
  await withoutFaults();
  const download = person.page.waitForEvent('download');
  await person.press('Export as JSON').catch(() => undefined);
  const file = await download;
  expect(file.suggestedFilename()).toBe(`identity-${id}.json`);
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toEqual(
    await gatehouse.identities.get({ id }),
  );
  expect(person.clicks).toBe(3);
});

it('erases a person in four clicks, and says what it does to their keys', async () => {
  await gatehouse.schemas.register({ id: 'leavers', schema: schemaOf({ email: EMAIL }) });
  const id = await addIdentity('leavers', 'eve@example.com');
  await gatehouse.identities.keyLink.set({ on_delete: 'revoke', actor_prefix: 'customer/' });
  await gatehouse.keys.issue({ name: 'of Eve', actor_id: `customer/${id}` });
  await person.start();
  await person.search('eve@example.com');
  await person.press('eve@example.com', main());
  await person.press('Erase');
  await main().getByText('This cannot be undone').waitFor();
  expect(await main().getByRole('link', { name: 'Keys of the person: 1' }).count()).toBe(1);
  expect(await main().getByText('are revoked').count()).toBe(1);
  await withoutFaults();
  await person.press('Erase', main());
  await person.page.getByText('It was deleted.').waitFor();
  expect(person.clicks).toBe(4);
  await expect(gatehouse.identities.get({ id })).rejects.toMatchObject({ status: 404 });
});

it('finds identities by identifier and by schema, page by page', async () => {
  for (const id of ['one', 'other']) {
    await gatehouse.schemas.register({ id, schema: schemaOf({ email: EMAIL }) });
    await addIdentity(id, 'twice@example.com');
  }
  await person.go('/forms/identities?identifier=twice@example.com');
  expect(await main().getByRole('row').count()).toBe(3);
  await withoutFaults();
  await person.page.getByLabel('Schema', { exact: true }).fill('other');
  await person.press('Filter');
  expect(await main().getByRole('row').count()).toBe(2);
  await person.go('/forms/identities?identifier=none@example.com');
  await main().getByText('No identity has this identifier').waitFor();
  await withoutFaults();
});

it('makes a schema in four clicks, whose form appears while it is typed', async () => {
  await person.start();
  await person.press('Forms');
  await withoutFaults();
  await person.press('New schema');
  const { page } = person;
  await preview().getByRole('textbox', { name: 'E-mail' }).waitFor();
  await withoutFaults();
  const area = page.getByLabel('JSON Schema');
  await area.fill(JSON.stringify(schemaOf({ city: { type: 'string', title: 'Your city' } })));
  await preview().getByRole('textbox', { name: 'Your city' }).waitFor();
  await area.fill(JSON.stringify(schemaOf({ city: { type: 'text' } })));
  await preview().getByText('/properties/traits/properties/city/type').waitFor();
  await area.fill('{"type": ');
  await preview().getByText('The schema has faults').waitFor();
  expect(await area.inputValue()).toBe('{"type": ');
  await withoutFaults();
  await area.fill(JSON.stringify(schemaOf({ email: EMAIL })));
  await page.getByLabel('Anyone may sign up with it').check();
  await page.getByLabel('Id', { exact: true }).fill('typed');
  await person.press('Save');
  await page.getByText('The change was saved.').waitFor();
  // Filling in the fields counts as one.
  expect(person.clicks + 1).toBeLessThanOrEqual(4);
  expect(await gatehouse.schemas.get({ id: 'typed' })).toMatchObject({ version: 1, public: true });
  await main().getByText('/sign-up?schema=typed').waitFor();
  await withoutFaults();
});

it('keeps what a person wrote when the schema or its id is refused', async () => {
  const { page } = person;
  await gatehouse.schemas.register({ id: 'taken', schema: schemaOf({ email: EMAIL }) });
  await person.go('/forms/schemas/new');
  const document = JSON.stringify(schemaOf({ city: { type: 'string' } }));
  await page.getByLabel('JSON Schema').fill(document);
  for (const [id, fault] of [
    ['taken', 'exists already'],
    ['../x', 'must begin with'],
  ] as const) {
    await page.getByLabel('Id', { exact: true }).fill(id);
    await person.press('Save');
    await main().getByText(fault).waitFor();
    expect(await page.getByLabel('Id', { exact: true }).inputValue()).toBe(id);
    expect(await page.getByLabel('JSON Schema').inputValue()).toBe(document);
  }
  await withoutFaults();
  await page.getByLabel('Id', { exact: true }).fill('untaken');
  await page.getByLabel('JSON Schema').fill('{"type": "object"}');
  await person.press('Save');
  await page.getByText('Not saved').waitFor();
  expect(await preview().getByText('/properties').count()).toBeGreaterThan(0);
  expect(await page.getByLabel('JSON Schema').inputValue()).toBe('{"type": "object"}');
  await withoutFaults();
});

it('works without scripts, in the language of the reader', async () => {
  await gatehouse.schemas.register({ id: 'unscripted', schema: schemaOf({ email: EMAIL }) });
  const reader = await stack.open({ javaScriptEnabled: false, locale: 'de' });
  await reader.page.goto('/console');
  await reader.page.getByRole('textbox').first().fill(ADMIN_KEY);
  await reader.page.getByRole('button').first().click();
  await reader.go('/forms/schemas/unscripted/edit');
  const region = reader.page.getByRole('region', { name: 'Vorschau' });
  expect(await region.getByRole('textbox').count()).toBe(1);
  const changed = schemaOf({ city: { type: 'string', title: 'Stadt' } });
  await reader.page.getByLabel('JSON Schema').fill(JSON.stringify(changed));
  await reader.press('Vorschau zeigen');
  expect(await region.getByRole('textbox', { name: 'Stadt' }).count()).toBe(1);
  expect(await gatehouse.schemas.get({ id: 'unscripted' })).toMatchObject({ version: 1 });
  await reader.press('Speichern');
  expect(await gatehouse.schemas.get({ id: 'unscripted' })).toMatchObject({ version: 2 });
  expect(await main(reader).getByRole('button', { name: 'Kopieren' }).count()).toBe(0);
  await reader.context.close();
});

it('brings back an older version, and makes a link for one person', async () => {
  await gatehouse.schemas.register({ id: 'old', schema: schemaOf({ email: EMAIL }, 'First') });
  await gatehouse.schemas.put({ id: 'old', schema: schemaOf({ email: EMAIL }, 'Second') });
  await person.go('/forms/schemas/old');
  await main().getByRole('heading', { name: 'Second' }).waitFor();
  await person.press('1', main());
  await main().getByRole('heading', { name: 'First' }).waitFor();
  await person.press('Edit', main());
  await person.press('Save');
  await person.page.getByText('The change was saved.').waitFor();
  expect(await gatehouse.schemas.get({ id: 'old' })).toMatchObject({ version: 1 });
  await person.press('Link for one person');
  await main().getByText('https://gate.example.com/flows/').waitFor();
  await withoutFaults();
  expect(await person.sendAgain()).toBe('/console/forms/schemas/old');
});

it('shows hostile texts as texts', async () => {
  const { page } = person;
  page.once('dialog', () => {
    throw new Error('a script ran');
  });
  const title = { type: 'string', title: HOSTILE, description: HOSTILE };
  const schema = schemaOf({ email: EMAIL, hostile: title }, HOSTILE);
  await gatehouse.schemas.register({ id: 'h'.repeat(128), schema });
  const id = await addIdentity('h'.repeat(128), 'hostile@example.com', { hostile: HOSTILE });
  for (const path of [
    '/forms',
    `/forms/schemas/${'h'.repeat(128)}`,
    `/forms/schemas/${'h'.repeat(128)}/edit`,
    `/forms/identities/${id}`,
    `/forms/identities/${id}/erase`,
  ]) {
    await person.go(path);
    await withoutFaults();
  }
  for (const id of ['', '%2e%2e', '..%2fx', '%00', 'a%2fb', 'x'.repeat(300)]) {
    for (const path of [`identities/${id}`, `identities/${id}/erase`, `schemas/${id}`]) {
      const status = await statusOf(`/console/forms/${path}`);
      expect([path, status]).toEqual([path, status === 404 ? 404 : 400]);
    }
  }
  for (const query of ['version=1e9', 'version=-1', 'version=999999999', 'page_token=x']) {
    const response = await page.request.get(`/console/forms/schemas/viewed?${query}`);
    expect([query, response.status() < 500]).toEqual([query, true]);
  }
});

it('a viewer reads forms, sees no acts, and is refused if they post', async () => {
  await gatehouse.schemas.register({ id: 'viewed', schema: schemaOf({ email: EMAIL }) });
  const id = await addIdentity('viewed', 'viewed@example.com');
  const scopes = ['keys:read', 'dsync:read', 'forms:read'];
  const { secret } = await gatehouse.keys.issue({ name: 'viewer', actor_id: 'viewer', scopes });
  const viewer = await stack.open();
  await viewer.signIn(secret);
  for (const path of ['/forms', '/forms/schemas/viewed', `/forms/identities/${id}`]) {
    await viewer.go(path);
    expect(await viewer.title).not.toBe('Your role does not allow this');
    for (const name of ['New schema', 'Edit', 'Link for one person', 'Erase']) {
      expect(await main(viewer).getByText(name, { exact: true }).count()).toBe(0);
    }
  }
  await viewer.go(`/forms/identities/${id}/erase`);
  const sent = viewer.page.waitForResponse((response) => response.request().method() === 'POST');
  await viewer.press('Erase', main(viewer));
  expect((await sent).status()).toBe(403);
  await viewer.go('/forms/schemas/viewed/edit');
  expect(await viewer.title).toBe('Your role does not allow this');
  expect((await gatehouse.identities.get({ id })).id).toBe(id);
  await viewer.context.close();
});

it('an empty installation says how schemas come about', async () => {
  for await (const { id } of gatehouse.identities.list.all()) {
    await gatehouse.identities.delete({ id });
  }
  await person.go('/forms/identities');
  await eventually(async () => {
    expect(await main().getByText('No form has been filled in').count()).toBe(1);
  });
  await withoutFaults();
});
