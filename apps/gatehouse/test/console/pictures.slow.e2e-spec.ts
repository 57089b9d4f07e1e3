/**
 * The pages that docs/console.md shows, on an installation with some of everything. UPDATE_SCREENSHOTS=1 takes
 * the pictures anew.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGatehouse, type Gatehouse } from '@gatehouse/client';
import {
  type ConsolePerson,
  eventually,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { workspace } from '#local-stack/layout.mjs';
import { ADMIN_KEY } from '../gate.js';
import { type ConsoleStack, openConsole } from './console-browser.js';

const FOLDER = join(workspace, 'docs', 'screenshots');
const SIZE = { width: 1_200, height: 760 };

let stack: ConsoleStack;
let receiver: WebhookReceiver;
let gatehouse: Gatehouse;
let person: ConsolePerson;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  stack = await openConsole();
  gatehouse = createGatehouse({ url: stack.gate.process.adminUrl, key: ADMIN_KEY });
  person = await stack.open({ viewport: SIZE, colorScheme: 'light', locale: 'en-US' });
  await person.signIn();
});

afterAll(async () => {
  await stack?.close();
  await receiver?.close();
});

/** Takes the picture of a page. */
async function show(name: string, path: string, title: string): Promise<void> {
  await person.go(path);
  expect(await person.title).toBe(title);
  const picture = `console-${name}.png`;
  const page = readFileSync(join(workspace, 'docs', 'console.md'), 'utf8');
  expect(page).toContain(`screenshots/${picture}`);
  if (process.env['UPDATE_SCREENSHOTS'] === undefined) return;
  await person.page.screenshot({ path: join(FOLDER, picture) });
}

it('a key, and its owner', async () => {
  const { secret, issued_api_key: key } = await gatehouse.keys.issue({
    name: 'Nightly report',
    actor_id: 'ada@acme.example',
    scopes: ['orders:read'],
    rate_limit_policy: { quota: '1000', window: '60s' },
  });
  for (let n = 0; n < 40; n += 1) {
    const required_scopes = [n % 8 === 0 ? 'orders:write' : 'orders:read'];
    await gatehouse.keys.verify({ credential: secret, required_scopes });
  }
  await eventually(async () => {
    const { refusals } = await gatehouse.keys.refusals({ key_id: key.key_id });
    expect(refusals).toHaveLength(1);
  });
  await show('key', `/keys/${key.key_id}`, 'Nightly report');
  await show('person', '/people?id=ada@acme.example', 'ada@acme.example');
});

it('a directory, a request, a held run, and an endpoint that fails', async () => {
  receiver.respond(() => ({ status: 500, body: 'out of order' }));
  const directory = await gatehouse.directories.create({
    tenant: 'acme',
    product: 'shop',
    name: 'Acme',
    webhook_url: `${receiver.url}/hooks/gatehouse`,
    webhook_secret: 'a-webhook-secret-of-the-tests-01',
  });
  const { id } = directory;
  await gatehouse.directories.guard.update({ directoryId: id, max_deletes: 1 });
  const scim = createGatehouse({
    url: stack.gate.process.url,
    key: directory.scim.secret ?? '',
  }).scim.users;
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
  const people = ['ada', 'grace', 'linus'].map((name) => `${name}@acme.example`);
  const refused = () => undefined;
  for (const userName of people) {
    const user = await scim.create({ directoryId: id, schemas, userName });
    // The guard lets one go.
    if (userName !== people[0]) {
      await scim.delete({ directoryId: id, id: String(user.id) }).catch(refused);
    }
  }
  await scim.create({ directoryId: id, schemas, userName: people[0] ?? '' }).catch(refused);
  const request = await eventually(async () => {
    const [found] = await gatehouse.directories.requests.list({ directoryId: id, status: '409' });
    if (!found) throw new Error('the request is not logged yet');
    return found;
  });
  const [endpoint] = await eventually(async () => {
    const found = await gatehouse.directories.webhookEndpoints.listAll({ state: 'failing' });
    if (found.length === 0) throw new Error('the endpoint does not fail yet');
    return found;
  });
  const [run] = await gatehouse.directories.runs.list({ directoryId: id });
  await show('directory', `/directories/${id}`, 'Acme');
  await show('request', `/directories/${id}/requests/${request.id}`, 'POST /Users');
  await show('run', `/directories/${id}/runs/${run?.id}`, run?.id ?? '');
  await show(
    'endpoint',
    `/webhooks/${id}/${endpoint?.id}`,
    `Endpoint at ${new URL(receiver.url).host}`,
  );
});

it('a schema with its form, an identity, the audit log, and what needs a person', async () => {
  const schema = {
    type: 'object',
    properties: {
      traits: {
        type: 'object',
        required: ['email'],
        properties: {
          email: { type: 'string', format: 'email', title: 'E-mail', 'x-identifier': true },
          company: { type: 'string', title: 'Company' },
        },
      },
    },
  };
  await gatehouse.schemas.register({ id: 'customer', schema, public: true });
  const { id } = await gatehouse.identities.create({
    schema_id: 'customer',
    traits: { email: 'ada@acme.example', company: 'Acme' },
  });
  await show('schema', '/forms/schemas/customer/edit', 'Edit customer');
  await show('identity', `/forms/identities/${id}`, id);
  await show('audit', '/audit', 'Audit log');
  await show('overview', '/', 'Overview');
});
