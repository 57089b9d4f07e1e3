/** What people do with directories in the console. */
import { type ConsolePerson, eventually } from '@gatehouse/testing';
import { ADMIN_KEY } from '../gate.js';
import { type ConsoleStack, openConsole } from './console-browser.js';

const HOSTILE = `<script>alert(1)</script>\u202E${'long '.repeat(80)}`;
const WIDTHS = [320, 1280];

let stack: ConsoleStack;
let person: ConsolePerson;

beforeAll(async () => {
  stack = await openConsole();
  person = await stack.open();
  await person.signIn();
});

afterAll(async () => {
  await stack?.close();
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of the API
async function manage(method: string, path: string, json?: unknown): Promise<any> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const answer = await stack.gate.adminSurface.send(method, path, { headers, json });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body.data ?? answer.body;
}

/** A directory, and what its provider sends to it. */
async function newDirectory(name: string) {
  const body = { tenant: `of-${name}`, product: 'console', name };
  const { id, scim } = await manage('POST', '/api/v1/dsync', body);
  const send = (method: string, path: string, json?: unknown, secret: string = scim.secret) =>
    stack.gate.publicSurface.send(method, new URL(scim.endpoint).pathname + path, {
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
      json,
    });
  return { id: id as string, path: `/directories/${id}`, send };
}

const user = (userName: string, more = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
  ...more,
});

async function expectNoFaults(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await person.go(path);
    for (const width of WIDTHS) {
      await person.page.setViewportSize({ width, height: 800 });
      expect([path, width, await person.faults()]).toEqual([path, width, []]);
    }
  }
}

/** Created, updated and removed, by run. */
async function countsOfRuns(): Promise<string[]> {
  const rows = await person.page.locator('tbody').getByRole('row').all();
  return Promise.all(
    rows.map(async (row) => (await row.locator('td.number').allInnerTexts()).join(' ')),
  );
}

const text = () => person.page.getByRole('main').innerText();

it('says why a directory does not work, and which request was refused: in four clicks', async () => {
  const { id, path, send } = await newDirectory('refused');
  await send('POST', '/Users', user('ada'));
  await send('POST', '/Users', user('ada'));
  await eventually(async () => {
    expect((await manage('GET', `/api/v1/dsync/${id}/requests?status=409`)).length).toBe(1);
  });
  await person.start();
  await person.press('Directories');
  await person.press('refused');
  expect(await text()).toContain('the last run or request failed');
  await person.press('the last run or request failed', person.page.getByRole('main'));
  await person.press(/UTC/, person.page.getByRole('row').filter({ hasText: '409' }));
  expect(await person.title).toBe('POST /Users');
  expect(await text()).toMatch(/409 – The request was refused\. uniqueness/);
  expect(person.clicks).toBe(4);
  const request = new URL(person.page.url()).pathname.slice('/console'.length);
  await expectNoFaults('/directories', path, `${path}/requests`, request);
});

it('keeps the bodies of requests, shows them, and stops', async () => {
  const { id, path, send } = await newDirectory('captured');
  await person.go(`${path}/requests`);
  await person.press('Keep bodies for 4 hours');
  expect(await text()).toContain('Bodies are kept until');
  await send('POST', '/Users', user('grace', { displayName: HOSTILE }));
  const request = await eventually(async () => {
    const [found] = await manage('GET', `/api/v1/dsync/${id}/requests?method=POST`);
    expect(found.captured).toBe(true);
    return found.id as string;
  });
  await person.go(`${path}/requests/${request}`);
  const sent = person.page.getByRole('region', { name: 'What the provider sent' });
  expect(await sent.innerText()).toContain('<script>alert(1)</script>');
  await expectNoFaults(`${path}/requests/${request}`);
  await person.go(`${path}/requests?status=500`);
  expect(await text()).toContain('No request here.');
  await person.press('Keep no more');
  expect(await text()).toContain('The change was saved.');
});

it('shows what is held, and approves it in four clicks', async () => {
  const { id, path, send } = await newDirectory('held');
  await manage('PATCH', `/api/v1/dsync/${id}/guard`, { max_deletes: 1 });
  for (const name of ['one', 'two', HOSTILE.slice(0, 200)]) {
    const { body } = await send('POST', '/Users', user(name));
    await send('DELETE', `/Users/${body.id}`);
  }
  const [{ id: run }] = await manage('GET', `/api/v1/dsync/${id}/runs`);
  await expectNoFaults(`${path}/runs`, `${path}/runs/${run}`, `${path}/runs/${run}/approve`);
  await person.go(`${path}/runs`);
  expect(await countsOfRuns()).toEqual(['0 0 2']);
  await person.start();
  await person.press('Directories');
  await person.press(
    /a removal waits/,
    person.page.getByRole('row').filter({ hasText: 'of-held' }),
  );
  await person.press('Approve');
  const plan = person.page.getByRole('row').filter({ hasText: 'Users deleted' });
  expect(await plan.innerText()).toMatch(/Users deleted\s+2\s+two/);
  await person.press('Approve', person.page.getByRole('main'));
  expect(person.clicks).toBe(4);
  expect(await text()).toContain('The run was started.');
  await eventually(async () => {
    expect((await manage('GET', `/api/v1/dsync/${id}/runs/${run}`)).state).toBe('succeeded');
  });
  await person.go(`${path}/runs`);
  expect(await countsOfRuns()).toEqual(['0 0 2']);
  await person.go(`${path}/runs/${run}`);
  expect(await text()).toMatch(/succeeded[^]*What it did[^]*Users deleted\s+2/);
  await person.go(`${path}/runs/${run}/discard`);
  await person.press('Discard', person.page.getByRole('main'));
  expect(await person.title).toBe('This cannot be done now');
});

it('discards what is held, and the users stay', async () => {
  const { id, path, send } = await newDirectory('kept');
  await manage('PATCH', `/api/v1/dsync/${id}/guard`, { max_deletes: 0 });
  const { body } = await send('POST', '/Users', user('stays'));
  await send('DELETE', `/Users/${body.id}`);
  await person.go(path);
  await person.press('Discard');
  await person.press('Discard', person.page.getByRole('main'));
  expect(await text()).toMatch(/The run was discarded\.[^]*discarded/);
  expect((await send('GET', `/Users/${body.id}`)).status).toBe(200);
});

it('a workspace without access says so, and has no requests', async () => {
  const workspace = { type: 'workspace', workspace_provider: 'google' };
  const body = { tenant: 'of-workspace', product: 'console', name: 'workspace', ...workspace };
  const { id } = await manage('POST', '/api/v1/dsync', body);
  await person.go(`/directories/${id}`);
  expect(await text()).toContain('no access to the provider');
  const tabs = person.page.getByRole('navigation', { name: 'workspace' });
  expect(await tabs.getByRole('link', { name: 'Requests' }).count()).toBe(0);
  await expectNoFaults(`/directories/${id}/runs`, `/directories/${id}`);
  await person.press('Start a run', person.page.getByRole('main'));
  expect(await person.page.getByRole('heading', { level: 1 }).count()).toBe(1);
});

it('finds a user by name, with groups, roles and the keys of the person', async () => {
  const { id, path, send } = await newDirectory('people');
  const name = { givenName: HOSTILE.slice(0, 60), familyName: 'Hopper' };
  const { body: created } = await send('POST', '/Users', user('grace@example.com', { name }));
  const members = [{ value: created.id }];
  const { body: group } = await send('POST', '/Groups', {
    displayName: HOSTILE.slice(0, 250),
    members,
  });
  await send('POST', '/Users', user('other'));
  await manage('PUT', '/api/v1/dsync/key-links', {
    tenant: 'of-people',
    product: 'console',
    attribute: 'userName',
    actor_prefix: 'acme:',
    on_delete: 'revoke',
  });
  await person.start();
  await person.press('Directories');
  await person.press('people', person.page.getByRole('table'));
  await person.press('Users');
  await person.page.getByLabel('User name').fill('GRACE@example.com');
  await person.press('Filter');
  expect(await person.page.getByRole('row').count()).toBe(2);
  expect(person.clicks).toBe(4);
  await person.press('grace@example.com');
  expect(await person.title).toBe('grace@example.com');
  const keys = person.page.getByRole('link', { name: 'acme:grace@example.com' });
  expect(await keys.getAttribute('href')).toBe('/console/people?id=acme%3Agrace%40example.com');
  await person.press(/script/, person.page.getByRole('main').locator('dl'));
  await person.press('grace@example.com', person.page.getByRole('table'));
  expect(await person.title).toBe('grace@example.com');
  const paths = ['users', `users/${created.id}`, 'groups', `groups/${group.id}`];
  await expectNoFaults(...paths.map((each) => `${path}/${each}`));
  expect(await manage('GET', `/api/v1/dsync/users?directoryId=${id}`)).toHaveLength(2);
});

it('pages through the members of a group, and the groups inside it', async () => {
  const { path, send } = await newDirectory('members');
  const { body: inner } = await send('POST', '/Groups', { displayName: 'Inner' });
  const members = [{ value: inner.id }];
  for (let count = 0; count < 51; count += 1) {
    const { body } = await send('POST', '/Users', user(`member-${count}`));
    members.push({ value: body.id });
  }
  const { body: outer } = await send('POST', '/Groups', { displayName: 'Outer', members });
  await person.go(`${path}/groups/${outer.id}`);
  expect(await person.section('Members (52)').getByRole('row').count()).toBe(51);
  await person.press('Next page');
  const names = person.page.getByRole('rowheader');
  expect(await names.allInnerTexts()).toEqual(['member-0', 'Inner']);
  await expectNoFaults(`${path}/groups/${outer.id}?after=odd`);
  await person.press('Next page');
  await person.press('Inner', person.page.getByRole('table'));
  expect(await person.title).toBe('Inner');
});

it('previews a role mapping, saves it, and removes it', async () => {
  const { path, send } = await newDirectory('roles');
  const { body: ada } = await send('POST', '/Users', user('ada'));
  await send('POST', '/Groups', { displayName: 'Administrators', members: [{ value: ada.id }] });
  await person.start();
  await person.press('Directories');
  await person.press(/^Roles$/, person.page.getByRole('row').filter({ hasText: 'of-roles' }));
  await person.press('Preview');
  expect(await text()).toMatch(/1 of 1 users change\.[^]*admin\s+1\s+0/);
  await person.press('Save');
  expect(person.clicks).toBe(4);
  expect(await text()).toContain('The change was saved.');
  await expectNoFaults(`${path}/roles`);
  await person.press('Preview');
  const json = person.page.getByLabel('Mapping as JSON');
  await json.fill('{"rules":');
  await person.press('Preview');
  expect(await json.inputValue()).toBe('{"rules":');
  expect(await text()).toContain('JSON');
  await json.fill('{"rules":[{"group":{},"role":"admin"}]}');
  await person.press('Preview');
  expect(await text()).toContain('rules[0].group');
  await json.fill('{"rules":[{"group":{"display_name":"administrators"},"role":"admin"}]}');
  await person.press('Preview');
  await person.press('Save');
  expect(await text()).toMatch(/The change was saved\.[^]*administrators\s+admin\s+0\s+1/);
  await expectNoFaults(`${path}/roles`, `${path}/roles/delete`);
  await person.press('Remove the mapping', person.page.getByRole('main'));
  expect(await text()).toContain('The change was saved.');
});

it('creates a setup link that is shown once, and revokes it', async () => {
  await person.start();
  await person.press('Directories');
  await person.press('New setup link');
  await person.press('Create the link');
  expect(await text()).toContain('tenant');
  await person.page.getByLabel('Tenant').fill('of-link');
  await person.page.getByLabel('Product').fill('console');
  await person.press('Create the link');
  expect(await text()).toMatch(/https:\/\/gate\.example\.com\/setup\/[\w-]{43}/);
  expect(await person.faults()).toEqual([]);
  expect(await person.sendAgain()).toBe('/console/directories/links');
  const [found, ...others] = await manage('GET', '/api/v1/dsync/setup-links');
  expect(others).toEqual([]);
  expect(found).toMatchObject({ state: 'unopened' });
  const links = `/directories/links?directory_id=${found.directory_id}`;
  const { id } = found;
  await expectNoFaults('/directories/new-link', links, `/directories/links/${id}/revoke`);
  await person.press('Revoke', person.page.getByRole('main'));
  expect(await text()).toMatch(/It was revoked\.[^]*revoked/);
});

it('rotates a secret, and deactivates: each says before what it does', async () => {
  const { path, send } = await newDirectory('acts');
  await send('POST', '/Users', user('ada'));
  await person.start();
  await person.press('Directories');
  await person.press('acts', person.page.getByRole('table'));
  await person.press('Rotate the secret');
  await person.press('Rotate the secret', person.page.getByRole('main'));
  expect(person.clicks).toBe(4);
  const secret = await person.page.locator('code.copied').innerText();
  expect(await person.sendAgain()).toBe(`/console/audit?target=${path.split('/').at(-1)}`);
  expect((await send('GET', '/Users', undefined, secret)).status).toBe(200);
  expect((await send('GET', '/Users')).status).toBe(200);
  await expectNoFaults(`${path}/rotate-secret`, `${path}/deactivate`);
  await person.press('Deactivate', person.page.getByRole('main'));
  expect(await text()).toContain('deactivated');
  await person.press('Activate');
  expect((await send('GET', '/Users')).status).toBe(200);
});

it('filters by tenant alone, pages, and bounds what addresses say', async () => {
  for (let count = 0; count < 51; count += 1) {
    await manage('POST', '/api/v1/dsync', { tenant: 'many', product: `p${count}` });
  }
  await person.go('/directories');
  await person.page.getByLabel('Tenant').fill('many');
  await person.press('Filter');
  expect(await person.page.getByRole('row').count()).toBe(51);
  await person.press('Next page');
  expect(await person.page.getByRole('row').count()).toBe(2);
  await person.go(`/directories?offset=${'9'.repeat(400)}&state=odd&has_errors=odd&tenant=none`);
  expect(await text()).toContain('A setup link makes one');
  await person.go('/directories/not-a-directory');
  expect(await person.title).toBe('Not found');
});

it('speaks the language of the browser on narrow pages too', async () => {
  const { path } = await newDirectory('languages');
  const { page } = person;
  for (const [language, title] of [
    ['de', 'Verzeichnisse'],
    ['fr', 'Annuaires'],
    ['es', 'Directorios'],
  ] as const) {
    await page.setExtraHTTPHeaders({ 'accept-language': language });
    await person.go('/directories');
    expect(await person.title).toBe(title);
    await expectNoFaults(path, '/directories/new-link');
  }
  await page.setExtraHTTPHeaders({});
});

it('a viewer sees no acts and no secrets, and the services refuse what they post', async () => {
  const { path, id } = await newDirectory('viewed');
  const scopes = ['keys:read', 'dsync:read', 'forms:read'];
  const body = { name: 'viewer', actor_id: 'viewer', scopes };
  const { secret } = await manage('POST', '/v2alpha1/admin/issuedApiKeys', body);
  const viewer = await stack.open();
  await viewer.signIn(secret);
  for (const each of ['', '/requests', '/runs', '/roles']) {
    await viewer.go(path + each);
    const buttons = viewer.page.getByRole('main').getByRole('button');
    const shown = await buttons.filter({ visible: true }).allInnerTexts();
    expect([each, shown.filter((name) => name !== 'Filter' && name !== 'Copy')]).toEqual([
      each,
      [],
    ]);
    expect(await viewer.page.getByRole('main').getByText('Rotate').count()).toBe(0);
  }
  for (const each of ['rotate-secret', 'deactivate']) {
    await viewer.go(`${path}/${each}`);
    await viewer.page.getByRole('main').getByRole('button').last().click();
    expect([each, await viewer.title]).toEqual([each, 'Your role does not allow this']);
  }
  expect(await manage('GET', `/api/v1/dsync/${id}`)).toMatchObject({ deactivated: false });
  await viewer.context.close();
});
