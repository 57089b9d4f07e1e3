/** The key link of identities: the keys of a deleted identity stop. */
import { KEY_SERVICE_ENDPOINT } from '@gatehouse/delivery';
import { type Exchange, redisExchange } from '@gatehouse/kit/exchange';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { type ApplyPeopleRequest, MessagePatterns } from '@gatehouse/schemas';
import { checkPayload, CONTROL_PLANE, eventually } from '@gatehouse/testing';
import { type FormsClient } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';

const PATH = '/v1/key-link';

let stack: FormsStack;
let client: FormsClient;
let keyService: Exchange;
let received: ApplyPeopleRequest[];
/** Whether the key service refuses what it is asked. */
let refuses: boolean;

beforeAll(async () => {
  stack = await openFormsStack();
  ({ client } = await stack.start());
  await client.schema('user', { properties: { email: { type: 'string' } } });
  keyService = redisExchange({
    redis: stack.redis,
    service: 'key-service',
    messageKeys: [CONTROL_PLANE.MESSAGE_KEYS],
    logger: createLogger('test', 'silent'),
  });
  keyService.messages.serve(MessagePatterns.applyPeople, (data) => {
    checkPayload(MessagePatterns.applyPeople, 'request', data);
    received.push(data as ApplyPeopleRequest);
    if (refuses) throw new Error('refused');
    return Promise.resolve({ is_done: true });
  });
});
beforeEach(() => {
  received = [];
  refuses = false;
});
afterAll(async () => {
  await keyService.close();
  await stack.close();
});

async function deletedIdentity(): Promise<string> {
  const identity = { schema_id: 'user', traits: { email: 'a' } };
  const { body } = await client.admin('POST', '/v1/identities', identity);
  await client.admin('DELETE', `/v1/identities/${body.id}`);
  return body.id as string;
}

it('200: is set as a whole, read and deleted, and each change is audited', async () => {
  expect((await client.admin('GET', PATH)).status).toBe(404);
  const set = await client.admin('PUT', PATH, { on_delete: 'revoke', actor_prefix: 'customer:' });
  expect(set).toMatchObject({ status: 200, body: { actor_prefix: 'customer:' } });
  const again = await client.admin('PUT', PATH, { on_delete: 'pause' });
  expect(again.body).toMatchObject({ actor_prefix: '', on_delete: 'pause' });
  expect(again.body.revision).toBeGreaterThan(set.body.revision);
  expect((await client.admin('GET', PATH)).body).toEqual(again.body);
  expect((await client.admin('DELETE', PATH)).status).toBe(204);
  expect((await client.admin('DELETE', PATH)).status).toBe(404);
  const { body } = await client.admin('GET', '/v1/audit-events?page_size=3');
  expect(body.audit_events).toMatchObject([
    { type: 'key_link.deleted' },
    { type: 'key_link.updated', details: { fields: ['on_delete'] } },
    { type: 'key_link.updated', details: { fields: ['on_delete', 'actor_prefix'] } },
  ]);
});

it.each([
  [{}, 'on_delete'],
  [{ on_delete: 'delete' }, 'on_delete'],
  [{ on_delete: 'off', actor_prefix: 'x'.repeat(129) }, 'actor_prefix'],
  [{ on_delete: 'off', on_deactivate: 'off' }, 'on_deactivate'],
])('400: %j', async (link, field) => {
  const { status, body } = await client.admin('PUT', PATH, link);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(field);
});

it('names deleted identities to the key service until it answers, and has no webhook endpoint', async () => {
  const worker = await stack.startWorker();
  await client.admin('PUT', PATH, { on_delete: 'revoke', actor_prefix: 'customer:' });
  const { body } = await client.admin('GET', '/v1/webhook-endpoints');
  expect(body.webhook_endpoints).toEqual([]);
  const endpoint = `/v1/webhook-endpoints/${KEY_SERVICE_ENDPOINT}`;
  expect((await client.admin('DELETE', endpoint)).status).toBe(404);
  refuses = true;
  const id = await deletedIdentity();
  await eventually(() => expect(received.length).toBeGreaterThan(1));
  refuses = false;
  const cursors = async () => {
    const rows = await stack.database.query<{ isDone: boolean }>(
      `SELECT cursor >= (SELECT max(sequence) FROM forms.events) AS "isDone"
        FROM forms.endpoints WHERE id = $1`,
      [KEY_SERVICE_ENDPOINT],
    );
    return rows.map(({ isDone }) => isDone);
  };
  await eventually(async () => expect(await cursors()).toEqual([true]));
  expect(received.at(-1)).toMatchObject({
    tenant: '',
    product: '',
    link: { attribute: 'id', on_deactivate: 'off', on_delete: 'revoke' },
    people: [{ user_id: id, actor_ids: [`customer:${id}`], state: 'deleted' }],
    snapshot: null,
  });
  await worker.stop();
});
