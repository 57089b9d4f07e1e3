/** The people of linked directories are followed, over the management API and real messages. */
import * as testing from '@gatehouse/testing';
import { type PeopleReceiver, receivePeople } from './people-receiver.js';
import {
  manage,
  newDirectory,
  openSyncStack,
  type Service,
  type TestDirectory,
  user,
} from './sync-stack.js';

let stack: testing.TestStack;
let api: Service;
let keys: PeopleReceiver;

beforeAll(async () => {
  stack = await openSyncStack();
  api = await stack.start('dsync-api');
  keys = receivePeople(stack);
});

afterAll(async () => {
  await keys.close();
  await stack.close();
});

const PRODUCT = 'shop';
const newTenant = () => `tenant-${Math.random().toString(36).slice(2)}`;
const link = (tenant: string, more: object = {}) =>
  manage(api, 'PUT', '/key-links', { tenant, product: PRODUCT, attribute: 'id', ...more });

async function newUser(directory: TestDirectory, userName: string): Promise<string> {
  const { status, body, text } = await directory.scim('POST', '/Users', user(userName));
  if (status !== 201) throw new Error(text);
  return body.id;
}

const deactivate = (directory: TestDirectory, id: string) =>
  directory.scim('PATCH', `/Users/${id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', value: { active: false } }],
  });

const snapshotsOf = ({ id }: TestDirectory) =>
  keys.received.filter(({ source_id, snapshot }) => source_id === id && snapshot?.is_complete);

it('links are set, listed and deleted', async () => {
  const tenant = newTenant();
  const set = await link(tenant, { attribute: 'email', email_domains: ['example.com'] });
  expect(set.body.data).toMatchObject({ tenant, on_deactivate: 'off' });
  const listed = await manage(api, 'GET', `/key-links?tenant=${tenant}&pageLimit=1`);
  expect(listed.body.data).toEqual([set.body.data]);
  const refused = await link(tenant, { attribute: 'email' });
  expect(refused.body.error).toMatchObject({
    code: 400,
    message: expect.stringContaining('all_actors'),
  });
  const path = `/key-links?tenant=${tenant}&product=${PRODUCT}`;
  expect((await manage(api, 'DELETE', path)).status).toBe(200);
  expect((await manage(api, 'DELETE', path)).status).toBe(404);
  expect((await manage(api, 'DELETE', `/key-links?tenant=${tenant}`)).status).toBe(400);
});

it('all people arrive after a link is made, and then each change, without a sweep', async () => {
  const worker = await stack.start('dsync-worker', { DSYNC_SWEEP_INTERVAL: '1h' });
  const tenant = newTenant();
  const directory = await newDirectory(api, { tenant, product: PRODUCT });
  const ann = await newUser(directory, 'ann');
  expect((await link(tenant, { on_deactivate: 'pause' })).status).toBe(200);
  await testing.eventually(() => expect(snapshotsOf(directory)).toHaveLength(1));
  await deactivate(directory, ann);
  await testing.eventually(() =>
    expect(keys.changesOf(directory.id)).toMatchObject([
      { user_id: ann, actor_ids: [ann], state: 'inactive' },
    ]),
  );
  const { body } = await manage(api, 'GET', `/${directory.id}/status`);
  expect(body.data.key_link).toEqual({ state: 'healthy', reason: null, snapshot_pending: false });
  await worker.stop();
});

it('a change does not wait for the next batch of webhooks', async () => {
  const settings = { DSYNC_WEBHOOK_BATCH_SIZE: '7', DSYNC_WEBHOOK_BATCH_CRON_INTERVAL: '1h' };
  const webhooks = await testing.startWebhookReceiver();
  const batched = await stack.start('dsync-api', settings);
  const tenant = newTenant();
  const newBatched = (product: string) =>
    newDirectory(batched, {
      tenant,
      product,
      webhook_url: webhooks.url,
      webhook_secret: 'a-secret-of-the-receiver-0123456789',
    });
  // The sweep at the start of a worker is a batch, too: it is over for a directory that comes after it.
  await newUser(await newBatched('other'), 'first');
  const worker = await stack.start('dsync-worker', settings);
  await testing.eventually(() => expect(webhooks.received).toHaveLength(1));
  const directory = await newBatched(PRODUCT);
  await link(tenant);
  for (let change = 1; change <= 3; change++) {
    await newUser(directory, `user-${change}`);
    await testing.eventually(() => expect(keys.changesOf(directory.id)).toHaveLength(change));
  }
  expect(webhooks.received).toHaveLength(1);
  await worker.stop();
  await batched.stop();
  await webhooks.close();
});
