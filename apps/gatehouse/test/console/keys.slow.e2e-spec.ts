/** Keys in the console. */
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
const verdict = () => person.page.locator('.lead').innerText();

it('finds a key by its last four characters, and says why it was refused', async () => {
  const { secret } = await administrator.issue({ name: 'Nightly report' });
  await administrator.issue({ name: 'Another' });
  const refused = { credential: secret, required_scopes: ['orders:write'] };
  await administrator.ask('POST', '/v2alpha1/admin/apiKeys:verify', refused);
  await person.press('Keys');
  await person.enter('Key', secret.slice(-4));
  expect(await main().getByRole('rowheader').allInnerTexts()).toEqual(['Nightly report']);
  expect(await person.faultsOfWidths()).toEqual([]);
  await person.press('Nightly report');
  expect(person.clicks).toBe(3);
  expect(await verdict()).toMatch(/^● active This key works until .* UTC\.$/);
  await eventually(async () => {
    await person.page.reload();
    expect(
      await person.section('Why it was refused').getByRole('rowheader').allInnerTexts(),
    ).toEqual(['a required scope is missing']);
  });
  expect(await person.faultsOfWidths()).toEqual([]);
});

it('a part of a secret that is too long is refused beside its field, which keeps it', async () => {
  await person.go('/keys');
  await person.enter('Key', 'gate_sk_v1_3mJr7A3mJr7A3mJr7A3mJr7Azzzz');
  const field = main().getByLabel('Key', { exact: true });
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await field.inputValue()).toBe('gate_sk_v1_3mJr7A3mJr7A3mJr7A3mJr7Azzzz');
  expect(await person.faultsOfWidths()).toEqual([]);
});

it('pauses, resumes, revokes a key, and takes that back', async () => {
  const { id, secret } = await administrator.issue({ name: 'Exports' });
  const errorCode = async () => (await administrator.verify(secret)).error_code ?? '';
  await person.press('Keys');
  await person.press('Exports');
  await person.press('Pause');
  expect(person.clicks).toBe(3);
  expect(await verdict()).toMatch(/paused Since .* UTC \(by an administrator: .+\)\.$/);
  expect(await errorCode()).toBe('VERIFICATION_ERROR_PAUSED');
  await person.press('Resume');
  expect(await errorCode()).toBe('');
  await person.start();
  await person.press('Keys');
  await person.press('Exports');
  await person.press('Revoke');
  expect(await person.title).toBe('Revoke: Exports');
  await main().getByLabel('Reason').selectOption('access withdrawn');
  await person.press('Revoke');
  expect(person.clicks).toBe(4);
  expect(await verdict()).toMatch(/revoked Since .* UTC \(by an administrator: .+\)\.$/);
  await main().getByText('access withdrawn').waitFor();
  expect(await errorCode()).toBe('VERIFICATION_ERROR_REVOKED');
  await person.press('Take the revocation back');
  expect(await errorCode()).toBe('');
  await person.press('Revoke');
  await main().getByLabel('Reason').selectOption('others know the key');
  await person.press('Revoke');
  expect(await main().locator('form').count()).toBe(0);
  await person.go(`/keys/${id}/rotate`);
  await person.press('Rotate');
  expect(await person.title).toBe('This cannot be done now');
});

it('rotates a key, whose successor is shown once while the old one works on', async () => {
  const { id, secret } = await administrator.issue({ name: 'Sync' });
  await person.press('Keys');
  await person.press('Sync');
  await person.press('Rotate');
  await person.press('Rotate');
  expect(person.clicks).toBe(4);
  const successor = await main().locator('.copied').innerText();
  expect(await person.faultsOfWidths()).toEqual([]);
  for (const each of [secret, successor]) {
    expect(await administrator.verify(each)).toMatchObject({ is_valid: true });
  }
  expect(await person.sendAgain()).toBe(`/console/keys/${id}`);
  await person.press('See whether it was done');
  expect(await person.page.content()).not.toContain(successor);
  await person.press('Keys');
  expect(await main().getByRole('link', { name: 'Sync' }).count()).toBe(2);
});

it('issues a key once, and keeps what was filled in when the service refuses it', async () => {
  await person.press('Keys');
  await person.press('Issue a key');
  await main().getByLabel('Owner').fill('team/backend');
  await main().getByLabel('Name').fill('Checkout');
  await main().getByLabel('Scopes').fill('orders:read orders:write');
  await main().getByLabel('Quota').fill('100');
  await main().getByLabel('Window').fill('60s');
  await main().getByLabel('Lives for').fill('a while');
  await person.press('Issue a key');
  await main().getByRole('alert').getByText('ttl').waitFor();
  expect(await main().getByLabel('Scopes').inputValue()).toBe('orders:read orders:write');
  expect(await person.faultsOfWidths()).toEqual([]);
  await main().getByLabel('Lives for').fill('90d');
  await person.press('Issue a key');
  const secret = await main().locator('.copied').innerText();
  expect(await administrator.verify(secret)).toMatchObject({
    is_valid: true,
    actor_id: 'team/backend',
    scopes: ['orders:read', 'orders:write'],
  });
  expect(await person.sendAgain()).toBe('/console/keys');
  expect(await person.faultsOfWidths()).toEqual([]);
  await person.press('See whether it was done');
  expect(await main().getByRole('link', { name: 'Checkout' }).count()).toBe(1);
  await person.press('Checkout');
  await person.press('Edit');
  await main().getByLabel('Scopes').fill('orders:read');
  await person.press('Save');
  await main().getByText('The change was saved.').waitFor();
  expect(await administrator.verify(secret)).toMatchObject({ scopes: ['orders:read'] });
  expect(await person.section('Limits').getByRole('cell').allInnerTexts()).toContain('100');
  await person.press('team/backend');
  expect(await person.title).toBe('team/backend');
});

it('shows the credits and the use of a key, and adds to them', async () => {
  const { id } = await administrator.issue({ name: 'Metered', credits: { remaining: '1200' } });
  await stack.database.query(
    `INSERT INTO keys.usage (level, series, at, subject, tag, outcome, limit_name, actor_id, count, cost)
     SELECT 2, 1, date_trunc('hour', now(), 'UTC'), $1, '', outcome, '', 'alice', 1000 + outcome, 0
     FROM unnest(ARRAY[0, 8]) AS outcome`,
    [id],
  );
  await person.press('Keys');
  await person.press('Metered');
  expect(await main().getByRole('img').getAttribute('aria-label')).toContain('2,008');
  expect(await main().locator('.series').allInnerTexts()).toEqual(['■ accepted', '■ over a limit']);
  expect(await person.section('Credits').getByText('1,200').count()).toBe(1);
  expect(await person.faultsOfWidths()).toEqual([]);
  await person.press('Credits');
  await person.enter('Amount', '34');
  expect(person.clicks).toBe(4);
  await main().getByText('1,234', { exact: true }).waitFor();
  await person.enter('Amount', 'a lot');
  expect(await main().getByLabel('Amount').inputValue()).toBe('a lot');
  expect(await person.faultsOfWidths()).toEqual([]);
  await main().getByLabel('Remaining').fill('5');
  await main().getByLabel('Refill to').fill('50');
  await main().getByLabel('Every', { exact: true }).fill('30d');
  await person.press('Replace credits');
  await main().getByText('to 50 every 30 days').waitFor();
  await person.press('Remove credits');
  expect(await person.faultsOfWidths()).toEqual([]);
  await person.press('Remove credits');
  await main().getByText('not counted in credits').waitFor();
  await person.go(`/keys/${id}?usage=days`);
  await person.section('Verifications').getByText('Nothing in this time.').waitFor();
});

it('names that others wrote do not change the pages', async () => {
  const hostile = `<script>alert(1)</script>"\\&\u202e\u2066txet ${'w'.repeat(200)}`;
  const { id } = await administrator.issue({ name: hostile, metadata: { note: hostile } });
  const paths = ['', '/edit', '/revoke', '/rotate', '/credits'].map((act) => `/keys/${id}${act}`);
  for (const path of ['/keys', ...paths]) {
    await person.go(path);
    expect(await main().innerText()).toContain('<script>alert(1)</script>');
    expect(await person.faultsOfWidths()).toEqual([]);
  }
  const long = 'x'.repeat(3_000);
  for (const [path, status] of [
    ['/keys/no-key/revoke', 404],
    ['/keys?page_token=x', 400],
    ['/keys?status=x', 400],
    ['/keys?actor_id=%00', 400],
    [`/keys?preview=${long}`, 400],
  ] as const) {
    const answer = await person.page.request.get(`/console${path}`);
    expect([path, answer.status()]).toEqual([path, status]);
  }
});

it('finds imported keys apart', async () => {
  const imported = {
    name: 'From before',
    actor_id: 'bob',
    raw_key: 'a-key-that-was-made-elsewhere-1',
  };
  await administrator.ask('POST', '/v2alpha1/admin/importedApiKeys', imported);
  await person.go('/keys');
  await main().getByLabel('Kind').selectOption('imported');
  await person.press('Filter');
  await person.press('From before');
  expect(await verdict()).toMatch(/^● active This key works until .* UTC\.$/);
  expect(await main().getByRole('link', { name: 'Rotate' }).count()).toBe(0);
});

it('shows a trust rule as a key that cannot be edited here', async () => {
  const { body: rule } = await administrator.ask('POST', '/v2alpha1/admin/trustRules', {
    name: 'Deployments',
    actor_id: 'ci',
    issuer: 'https://token.actions.githubusercontent.com',
    audience: 'gatehouse',
    subject_pattern: 'repo:acme/shop:*',
  });
  await person.go(`/keys/${rule.key_id}`);
  expect(await main().locator('.acts').innerText()).toMatch(/^Pause\s+Revoke$/);
  await main().getByText('trust rule', { exact: true }).waitFor();
});

it('a viewer sees no acts, and may not do them', async () => {
  const { id } = await administrator.issue({ name: 'Looked at' });
  const { secret } = await administrator.issue({ name: 'Viewer', scopes: ['keys:read'] });
  const viewer = await stack.open();
  await viewer.signIn(secret);
  for (const path of ['/keys', `/keys/${id}`, '/people?id=alice']) {
    await viewer.go(path);
    const content = viewer.page.getByRole('main');
    expect(await content.locator('.acts').getByRole('link').count()).toBe(0);
    expect(await content.locator('.acts').getByRole('button').count()).toBe(0);
  }
  await viewer.go('/sign-out');
  const token = await viewer.page.locator('[name=csrf_token]').first().inputValue();
  const origin = new URL(viewer.page.url()).origin;
  const acts = [
    ...['pause', 'resume', 'undelete', 'revoke', 'rotate', 'edit'].map((act) => `${id}/${act}`),
    ...['add', 'set', 'remove'].map((act) => `${id}/credits/${act}`),
    'new',
  ].map((path) => `/keys/${path}`);
  for (const path of [...acts, '/people/session', `/people/sessions/${id}/end`]) {
    const answer = await viewer.page.request.post(`/console${path}`, {
      headers: { origin },
      form: { csrf_token: token, nonce: crypto.randomUUID() },
    });
    expect([path, answer.status()]).toEqual([path, 403]);
  }
});
