/** What became of the deliveries of identity events, and their repetition, with a worker that runs. */
import {
  eventually,
  type Json,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { type FormsClient } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';

const PATH = '/v1/webhook-endpoints';
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let stack: FormsStack;
let client: FormsClient;
let receiver: WebhookReceiver;

beforeAll(async () => {
  stack = await openFormsStack();
  ({ client } = await stack.start());
  await client.schema('user', { properties: { email: { type: 'string' } } });
});
afterAll(() => stack.close());
beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  await receiver.close();
  const { body } = await client.admin('GET', PATH);
  for (const { id } of body.webhook_endpoints) await client.admin('DELETE', `${PATH}/${id}`);
});

const get = async (path: string) => (await client.admin('GET', path)).body;
const create = async (members: object = {}) => {
  const answer = await client.admin('POST', PATH, { url: receiver.url, ...members });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id as string;
};
const newIdentity = async () => {
  const body = { schema_id: 'user', traits: { email: 'a' } };
  return (await client.admin('POST', '/v1/identities', body)).body.id as string;
};
const lastEventId = async () => (await get('/v1/events?page_size=1000')).events.at(-1).id as string;
const identities = () =>
  receiver.received
    .map(({ body }) => JSON.parse(body))
    .filter(({ event }) => event !== 'webhook.ping')
    .map(({ data }) => data.identity_id as string);

it('an event that the receiver refuses is listed, resent and delivered; a part is replayed', async () => {
  await stack.startWorker();
  await newIdentity();
  const before = await lastEventId();
  const id = await create({ logs_attempts: true });
  let poison = '';
  receiver.respond(({ body }) => (body.includes(poison) ? { status: 422, body: 'no' } : {}));
  await client.admin('POST', `${PATH}/${id}/pause`);
  poison = await newIdentity();
  const good = await newIdentity();
  expect(await get(`${PATH}/${id}/status`)).toMatchObject({ pending: 2, dead: 0 });
  await client.admin('POST', `${PATH}/${id}/resume`);
  await eventually(
    async () => expect(await get(`${PATH}/${id}/status`)).toMatchObject({ pending: 0, dead: 1 }),
    { timeoutMs: 15_000 },
  );
  const { parked_events: parked } = await get(`${PATH}/${id}/parked-events`);
  expect(parked).toMatchObject([{ reason: 'the endpoint answered 422', attempts: 2 }]);
  const event = `/v1/events/${parked[0].event_id}`;
  expect(await get(event)).toMatchObject({
    event: 'identity.created',
    data: { identity_id: poison },
    state: 'dead',
    attempts: [{ endpoint_id: id, status_code: 422 }, { status_code: 422 }],
  });
  const all = await get(`${PATH}/${id}/attempts`);
  expect(all.attempts.map((each: Json) => [each.status_code, each.response])).toEqual([
    [200, ''],
    [422, 'no'],
    [422, 'no'],
  ]);
  const first = await get(`${PATH}/${id}/attempts?page_size=2`);
  const rest = `${PATH}/${id}/attempts?page_size=2&page_token=${first.next_page_token}`;
  expect((await get(rest)).attempts).toEqual(all.attempts.slice(2));

  receiver.respond(() => ({}));
  const resent = await client.admin('POST', `${event}/resend`);
  expect(resent.status).toBe(200);
  await eventually(async () => expect((await get(event)).state).toBe('delivered'));
  expect(identities().at(-1)).toBe(poison);

  receiver.received.splice(0);
  const range = { after: before, types: ['identity.created'], endpoint_id: id };
  const replayed = await client.admin('POST', '/v1/events/replay', range);
  expect(replayed.body).toEqual({ endpoints: 1 });
  await receiver.waitFor(2);
  expect(identities()).toEqual([poison, good]);
  const { audit_events: audited } = await get('/v1/audit-events?page_size=2');
  expect(audited).toMatchObject([
    { type: 'events.replayed', details: range },
    { type: 'event.resent', target_id: parked[0].event_id },
  ]);
});

it.each([
  [{}, 'after'],
  [{ after: UNKNOWN }, 'after'],
  [{ from_time: 'x' }, 'from_time'],
  [{ from_time: '2026-01-01T00:00:00Z', until: '2025-01-01T00:00:00Z' }, 'until'],
  [{ from_time: '2026-01-01T00:00:00Z', types: ['x'] }, 'types[0]'],
  [{ from_time: '2026-01-01T00:00:00Z', type: 'x' }, 'type'],
])('400: a replay of %j', async (range, field) => {
  const answer = await client.admin('POST', '/v1/events/replay', range);
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(`"${field}"`)]);
});

it('404: unknown events and endpoints; 409: no endpoint takes the event', async () => {
  for (const [method, path, code] of [
    ['GET', `/v1/events/${UNKNOWN}`, 'EVENT_NOT_FOUND'],
    ['POST', '/v1/events/x/resend', 'EVENT_NOT_FOUND'],
    ['GET', `${PATH}/${UNKNOWN}/status`, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
    ['GET', `${PATH}/x/attempts`, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
    ['GET', `${PATH}/${UNKNOWN}/parked-events`, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
  ] as const) {
    const answer = await client.admin(method, path);
    expect([path, answer.status, answer.body.code]).toEqual([path, 404, code]);
  }
  await newIdentity();
  const event = `/v1/events/${await lastEventId()}/resend`;
  const refused = await client.admin('POST', event);
  expect([refused.status, refused.body.code]).toEqual([409, 'NO_WEBHOOK_ENDPOINT']);
  const unknown = await client.admin('POST', event, { endpoint_id: UNKNOWN });
  expect([unknown.status, unknown.body.code]).toEqual([404, 'WEBHOOK_ENDPOINT_NOT_FOUND']);
});
