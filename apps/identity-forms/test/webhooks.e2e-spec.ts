/** The log of identity events, and the endpoints that receive them as webhooks. */
import { KeyRing, verifyStandardWebhook } from '@gatehouse/crypto';
import { createDelivery, type Delivery, IDENTITY_EVENTS, plainSystem } from '@gatehouse/delivery';
import { asyncApiDocument, catalogueSchema, IDENTITY_EVENT_CATALOGUE } from '@gatehouse/schemas';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { VERSION } from '@gatehouse/nest-kit/http';
import { type Json, startWebhookReceiver, type WebhookReceiver } from '@gatehouse/testing';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../src/data-source.js';
import { type FormsClient } from './forms-client.js';
import { ENCRYPTION_KEY, type FormsStack, openFormsStack } from './forms-stack.js';

const PATH = '/v1/webhook-endpoints';
const HEADERS = { Authorization: 'Bearer the-token-of-the-receiver' };
const TRAITS = {
  properties: { email: { type: 'string' }, age: { type: 'integer' } },
};

let stack: FormsStack;
let client: FormsClient;
let receiver: WebhookReceiver;
let dataSource: DataSource;
let delivery: Delivery;

beforeAll(async () => {
  stack = await openFormsStack();
  ({ client } = await stack.start());
  await client.schema('user', TRAITS);
  dataSource = await createDataSource(stack.database.url).initialize();
  delivery = createDelivery({
    sql: sqlOf(dataSource),
    system: plainSystem(IDENTITY_EVENTS.schema, KeyRing.fromTexts([ENCRYPTION_KEY])),
    outbound: { allowPrivate: true },
    settings: {
      retryScheduleSeconds: [5],
      timeoutSeconds: 2,
      turnSeconds: 20,
      eventAttempts: 2,
      batchSize: 0,
    },
    logger: { warn: () => undefined },
  });
});
afterAll(async () => {
  await delivery.close();
  await dataSource.destroy();
  await stack.close();
});
beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  await receiver.close();
  const { body } = await client.admin('GET', PATH);
  for (const { id } of body.webhook_endpoints) await client.admin('DELETE', `${PATH}/${id}`);
});

const create = async (members: object = {}) => {
  const answer = await client.admin('POST', PATH, { url: receiver.url, ...members });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
};
const newIdentity = async () => {
  const body = { schema_id: 'user', traits: { email: 'a', age: 1 } };
  return (await client.admin('POST', '/v1/identities', body)).body.id as string;
};
const eventsAfter = async (after = '', more = '') => {
  const answer = await client.admin('GET', `/v1/events?page_size=1000&after=${after}${more}`);
  return answer.body.events as Json[];
};
const lastId = async () => ((await eventsAfter()).at(-1)?.id ?? '') as string;
const deliver = async () => {
  for (const id of await delivery.endpointsOf(IDENTITY_EVENTS.sourceId)) await delivery.runLane(id);
};
const fieldsOf = ({ body }: { body: Json }) => JSON.stringify(body);

describe('GET /v1/events', () => {
  it('200: lists what happened to an identity, in order, with what changed and no values', async () => {
    const before = await lastId();
    const id = await newIdentity();
    const path = `/v1/identities/${id}`;
    await client.admin('PATCH', path, { traits: { email: 'secret-value', age: 1 } });
    await client.admin('DELETE', path);
    const events = await eventsAfter(before);
    expect(events.map(({ event, data }) => [event, data])).toEqual([
      ['identity.created', { identity_id: id, schema_id: 'user', schema_version: 1 }],
      [
        'identity.updated',
        { identity_id: id, schema_id: 'user', schema_version: 1, fields: ['traits.email'] },
      ],
      ['identity.deleted', { identity_id: id, schema_id: 'user', schema_version: 1 }],
    ]);
    expect(JSON.stringify(events)).not.toContain('secret-value');
    expect(await eventsAfter(before, '&type=identity.deleted')).toEqual(events.slice(2));
    const first = await client.admin('GET', `/v1/events?page_size=2&after=${before}`);
    const token = `&page_token=${first.body.next_page_token}`;
    const second = await client.admin('GET', `/v1/events?page_size=2&after=${before}${token}`);
    expect([...first.body.events, ...second.body.events]).toEqual(events);
  });

  it('a change that is refused is no event', async () => {
    const before = await lastId();
    await client.admin('POST', '/v1/identities', { schema_id: 'user', traits: { age: 'x' } });
    await client.admin('DELETE', '/v1/identities/01900000-0000-7000-8000-000000000000');
    expect(await eventsAfter(before)).toEqual([]);
  });

  it.each(['after=x', 'after=01900000-0000-7000-8000-000000000000', 'type=x', 'page_token=x'])(
    '400: %s',
    async (query) => {
      const answer = await client.admin('GET', `/v1/events?${query}`);
      expect([answer.status, fieldsOf(answer)]).toEqual([
        400,
        expect.stringContaining(query.split('=')[0] ?? ''),
      ]);
    },
  );

  it.each([
    ['catalogue.json', catalogueSchema(IDENTITY_EVENT_CATALOGUE)],
    ['asyncapi.json', asyncApiDocument(IDENTITY_EVENT_CATALOGUE, VERSION)],
  ])('/events/%s describes every type, without a credential', async (file, description) => {
    const { status, body } = await client.send('GET', `/events/${file}`);
    expect([status, body]).toEqual([200, description]);
  });
});

describe('webhook endpoints', () => {
  it('receive every event, signed, in order, with their own headers', async () => {
    const { secret } = await create({ headers: HEADERS });
    const id = await newIdentity();
    await client.admin('DELETE', `/v1/identities/${id}`);
    await deliver();
    const bodies = receiver.received.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ event, data }) => [event, data.identity_id])).toEqual([
      ['identity.created', id],
      ['identity.deleted', id],
    ]);
    expect((await eventsAfter()).slice(-2)).toEqual(bodies);
    for (const { headers, body } of receiver.received) {
      expect(verifyStandardWebhook({ headers, body, secrets: [secret] })).toBe(true);
      expect(headers.authorization).toBe(HEADERS.Authorization);
    }
  });

  it('are created, changed, paused, tested and deleted; secrets are shown once', async () => {
    const { secret, ...endpoint } = await create({ headers: HEADERS, types: ['identity.updated'] });
    expect(endpoint).toMatchObject({
      types: ['identity.updated'],
      header_names: ['authorization'],
      on_poison: 'park',
      state: 'healthy',
      reason: null,
      logs_attempts: false,
    });
    const path = `${PATH}/${endpoint.id}`;
    const read = await client.admin('GET', path);
    expect(read.body).toEqual(endpoint);
    const [row] = await stack.database.query('SELECT * FROM forms.endpoints');
    for (const text of [read.text, JSON.stringify(row)]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain('the-token-of-the-receiver');
    }
    const patched = await client.admin('PATCH', path, { types: null, on_poison: 'block' });
    expect(patched.body).toMatchObject({
      types: null,
      on_poison: 'block',
      header_names: ['authorization'],
    });
    const rotated = await client.admin('POST', `${path}/rotate-secret`, { overlap: '1h' });
    expect(rotated.body.secret).toMatch(/^whsec_/);
    expect(rotated.body.secret).not.toBe(secret);
    expect((await client.admin('POST', `${path}/pause`)).body.state).toBe('paused');
    expect((await client.admin('POST', `${path}/resume`)).body.state).toBe('healthy');
    const tested = await client.admin('POST', `${path}/test`);
    expect(tested.body).toMatchObject({ delivered: true, status_code: 200, error: null });
    expect((await client.admin('DELETE', path)).status).toBe(204);
    expect((await client.admin('GET', path)).body.code).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
    const { body } = await client.admin('GET', `/v1/audit-events?target_id=${endpoint.id}`);
    const types = (body.audit_events as Json[]).map(({ type }) => type);
    expect(types).toEqual(
      ['deleted', 'tested', 'resumed', 'paused', 'secret_rotated', 'updated', 'created'].map(
        (verb) => `webhook_endpoint.${verb}`,
      ),
    );
  });

  it.each([
    [{ url: null }, 'url'],
    [{ url: 'ftp://x' }, 'url'],
    [{ types: ['identity.stolen'] }, 'types[0]'],
    [{ secret: 'short' }, 'secret'],
    [{ on_poison: 'drop' }, 'on_poison'],
    [{ headers: { 'Webhook-Id': 'x' } }, 'headers.Webhook-Id'],
    [{ header: {} }, 'header'],
  ])('400: %j', async (members, field) => {
    const answer = await client.admin('POST', PATH, { url: 'https://example.com', ...members });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, expect.stringContaining(field)]);
  });

  it('409: there may be ten', async () => {
    for (let n = 0; n < 10; n += 1) await create();
    const answer = await client.admin('POST', PATH, { url: receiver.url });
    expect([answer.status, answer.body.code]).toEqual([409, 'WEBHOOK_ENDPOINT_LIMIT_REACHED']);
  });

  it('409 without ENCRYPTION_KEYS', async () => {
    const { client: other } = await stack.start({ ENCRYPTION_KEYS: '' });
    const answer = await other.admin('POST', PATH, { url: receiver.url });
    expect([answer.status, answer.body.code]).toEqual([409, 'WEBHOOKS_NOT_CONFIGURED']);
    expect((await other.admin('GET', '/v1/events')).status).toBe(200);
  });
});
