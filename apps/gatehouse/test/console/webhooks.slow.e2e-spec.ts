/** Webhook endpoints and events in the console: why an endpoint fails, and how events are sent again. */
import {
  type ConsolePerson,
  eventually,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { type Administrator, Provider } from '../visitor.js';
import { type ConsoleStack, openConsole } from './console-browser.js';

const HOSTILE = `<script>alert(1)</script>\u202e${'x'.repeat(400)}`;

let stack: ConsoleStack;
let administrator: Administrator;
let receiver: WebhookReceiver;
let person: ConsolePerson;

beforeAll(async () => {
  stack = await openConsole();
  ({ administrator } = stack);
  receiver = await startWebhookReceiver();
  person = await stack.open();
  await person.signIn();
});

beforeEach(() => {
  receiver.respond(() => ({}));
  receiver.received.splice(0);
});

afterEach(async () => {
  const path = '/v2alpha1/admin/webhook-endpoints';
  const { body } = await administrator.ask('GET', path);
  for (const { id } of body.webhook_endpoints) await administrator.ask('DELETE', `${path}/${id}`);
});

afterAll(async () => {
  await stack?.close();
  await receiver?.close();
});

/** Adds an endpoint for keys. */
async function addEndpoint(
  path: string,
  fields: object = {},
): Promise<{ id: string; path: string }> {
  const url = receiver.url + path;
  const { status, body } = await administrator.ask('POST', '/v2alpha1/admin/webhook-endpoints', {
    url,
    ...fields,
  });
  expect(status).toBe(201);
  return { id: body.id, path: `/webhooks/keys/${body.id}` };
}

const main = () => person.page.getByRole('main');
const receivedAt = (path: string) => receiver.received.filter((each) => each.path === path);

async function withoutFaults(): Promise<void> {
  for (const width of [1_280, 320]) {
    await person.page.setViewportSize({ width, height: 800 });
    expect([person.page.url(), width, await person.faults()]).toEqual([
      person.page.url(),
      width,
      [],
    ]);
  }
  await person.page.setViewportSize({ width: 1_280, height: 800 });
}

it('finds why an endpoint fails, and sends all since then again, in four clicks', async () => {
  await addEndpoint('/failing', { logs_attempts: true });
  receiver.respond(() => ({ status: 500, body: `out of order ${HOSTILE}` }));
  await administrator.issue({ name: HOSTILE.slice(0, 255) });
  await eventually(() => expect(receivedAt('/failing').length).toBeGreaterThan(1));

  await person.start();
  await person.press('Webhooks');
  await main().getByRole('row').nth(1).getByText('Deliveries fail.').waitFor();
  await withoutFaults();
  await person.press(`${receiver.url}/failing`);
  const lead = main().locator('.lead');
  expect(await lead.innerText()).toContain('500');
  expect(await lead.innerText()).toContain('Failing since');
  expect(await main().getByText('Age of the oldest').count()).toBe(1);
  await main().getByText(`out of order <script>`).first().waitFor();
  await withoutFaults();

  await person.press('Send events again');
  expect(await person.page.locator('option:checked').innerText()).toBe(
    'all since it began to fail',
  );
  await withoutFaults();
  receiver.respond(() => ({}));
  await person.press('Send events again', main());
  expect(person.clicks).toBe(4);
  await main().getByText('It is being sent again.').waitFor();
  await eventually(async () => {
    await person.page.reload();
    expect(await lead.innerText()).toContain('healthy');
  });
  expect(receivedAt('/failing').length).toBeGreaterThan(2);
});

it('sends the events of a time in UTC again, and names a time that is wrong', async () => {
  const { path } = await addEndpoint('/window');
  await administrator.issue();
  await eventually(() => expect(receivedAt('/window')).toHaveLength(1));
  await person.go(path);
  await person.press('Send events again');
  await person.page.getByLabel('Which events').selectOption('range');
  await person.page.getByLabel('From').fill('2026-01-01T10:00');
  await person.page.getByLabel('Until').fill('2026-01-01T09:00');
  await person.press('Send events again', main());
  await person.page.getByRole('alert').getByText('until').waitFor();
  expect(await person.page.getByLabel('From').inputValue()).toBe('2026-01-01T10:00');
  await withoutFaults();
  await person.page.getByLabel('Until').fill('');
  await person.press('Send events again', main());
  await main().getByText('It is being sent again.').waitFor();
  await eventually(() => expect(receivedAt('/window').length).toBeGreaterThan(1));
});

it('an event that was refused is parked, and is resent in three clicks', async () => {
  const { id, path } = await addEndpoint('/parked');
  receiver.respond(({ body }) => (body.includes('poison') ? { status: 422 } : {}));
  await administrator.issue({ name: 'poison' });
  await eventually(
    async () => {
      const status = `/v2alpha1/admin/webhook-endpoints/${id}/status`;
      expect((await administrator.ask('GET', status)).body).toMatchObject({ dead: 1 });
    },
    { timeoutMs: 30_000 },
  );
  receiver.respond(() => ({}));
  receiver.received.splice(0);
  await person.start();
  await person.press('Webhooks');
  await person.press(`${receiver.url}/parked`);
  const parked = main().getByRole('row', { name: 'Deliver again' });
  const event = (await parked.getByRole('link').getAttribute('href')) ?? '';
  await person.press('Deliver again');
  expect(person.clicks).toBe(3);
  await main().getByText('It is being sent again.').waitFor();
  await person.page.goto(event);
  expect(await person.title).toBe('key.issued');
  await eventually(async () => {
    await person.page.reload();
    await main().locator('.lead').getByText('delivered').waitFor({ timeout: 500 });
  });
  expect(await main().locator('pre').innerText()).toContain('"name": "poison"');
  await withoutFaults();
  await person.go(path);
  await main().getByText('None. An event is parked').waitFor();
});

it('an endpoint is tested, paused and resumed, and gets a new secret that is shown once', async () => {
  const { path } = await addEndpoint('/tested', { types: ['key.issued'] });
  await person.start();
  await person.press('Webhooks');
  await person.press(`${receiver.url}/tested`);
  await main().getByText('key.issued', { exact: true }).waitFor();
  await person.press('Send a test');
  expect(person.clicks).toBe(3);
  await main().getByText('The test was accepted: 200').waitFor();
  receiver.respond(() => ({ status: 503 }));
  await person.press('Send a test');
  await main().getByText('The test failed:').waitFor();
  receiver.respond(() => ({}));
  await person.press('Pause');
  await main().getByText('An administrator paused it.').waitFor();
  await person.press('Resume');
  await main().getByText('The last event was delivered').waitFor();

  await person.press('Rotate the secret');
  await withoutFaults();
  await person.press('Rotate the secret', main());
  const secret = await main()
    .getByText(/^whsec_/)
    .innerText();
  await person.sendAgain();
  await person.press('See whether it was done');
  expect(await main().getByRole('row').count()).toBe(2);
  await withoutFaults();
  await person.go(path);
  expect(await person.page.content()).not.toContain(secret);
});

it('endpoints and events of directories and identities are in the same pages', async () => {
  const { directoryId, provider } = await directory();
  await person.go('/webhooks');
  await person.press(`${receiver.url}/directory`);
  expect(await person.title).toContain('Endpoint at');
  await person.press('Pause');
  await main().getByText('An administrator paused it.').waitFor();
  await person.go('/webhooks?state=paused');
  expect(await main().getByRole('row').count()).toBe(2);
  await person.go(`/webhooks?state=healthy`);
  await main().getByText('None. gatehouse apply').waitFor();
  const ofIdentities = { url: `${receiver.url}/identities` };
  await administrator.ask('POST', '/v1/webhook-endpoints', ofIdentities);
  await person.go('/webhooks');
  await person.press(ofIdentities.url);
  await main().getByText('Identities', { exact: true }).waitFor();
  const userId = await provider.createUser('alice');
  const log = `/api/v1/dsync/events?directoryId=${directoryId}`;
  const [event] = (await administrator.ask('GET', log)).body.data;
  await person.go(`/events/${directoryId}/${event.id}`);
  expect(await person.title).toBe('user.created');
  const about = main().getByRole('link', { name: userId });
  expect(await about.getAttribute('href')).toContain(`${directoryId}/users/${userId}`);
  await withoutFaults();
});

async function directory(): Promise<{ directoryId: string; provider: Provider }> {
  const json = {
    tenant: 'acme',
    product: 'shop',
    name: HOSTILE.slice(0, 200),
    webhook_url: `${receiver.url}/directory`,
    webhook_secret: 'a-webhook-secret-of-the-tests-01',
  };
  const { body } = await administrator.ask('POST', '/api/v1/dsync', json);
  return { directoryId: body.data.id, provider: new Provider(stack.gate, body.data.scim) };
}

it('a viewer sees no acts, and is refused', async () => {
  const { path } = await addEndpoint('/viewed');
  const { secret } = await administrator.issue({
    scopes: ['keys:read', 'dsync:read', 'forms:read'],
  });
  const viewer = await stack.open();
  await viewer.signIn(secret);
  await viewer.go('/webhooks');
  await viewer.press(`${receiver.url}/viewed`);
  expect(
    await viewer.page
      .getByRole('main')
      .getByRole('button', { name: /^(?!Copy)/ })
      .count(),
  ).toBe(0);
  for (const act of ['replay', 'rotate']) {
    await viewer.go(`${path}/${act}`);
    await viewer.page.locator('main form button').last().click();
    expect([act, await viewer.title]).toEqual([act, 'Your role does not allow this']);
  }
});

it.each([
  '/webhooks/x/0198c0de-0000-7000-8000-000000000000',
  '/webhooks/keys/x',
  `/webhooks/keys/${'0'.repeat(40)}`,
  '/webhooks/x/0198c0de-0000-7000-8000-000000000000/rotate',
  '/events/keys/x',
  '/events/keys/0198c0de-0000-7000-8000-000000000000',
  '/events?source=%3Cscript%3E',
])('%s is not found', async (path) => {
  const { request } = person.context;
  const answer = await request.get(`${stack.gate.process.adminUrl}/console${path}`);
  expect(answer.status()).toBe(404);
});

it.each(['/webhooks?state=x&offset=-1', '/webhooks?offset=1e99'])(
  '%s is taken as far as it makes sense',
  async (path) => {
    await person.go(path);
    expect(await person.page.getByRole('table').or(main().locator('.empty')).count()).toBe(1);
  },
);
