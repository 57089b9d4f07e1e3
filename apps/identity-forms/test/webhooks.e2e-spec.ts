/** The log of identity events, and their delivery. */
import { KeyRing } from '@gatehouse/crypto';
import { createDelivery, type Delivery, IDENTITY_EVENTS, plainSystem } from '@gatehouse/delivery';
import { asyncApiDocument, catalogSchema, IDENTITY_EVENT_CATALOG } from '@gatehouse/schemas';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { VERSION } from '@gatehouse/nest-kit/http';
import { deliverAll, describePlainDelivery, type Json } from '@gatehouse/testing';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../src/data-source.js';
import { type FormsClient } from './forms-client.js';
import { ENCRYPTION_KEY, type FormsStack, openFormsStack } from './forms-stack.js';
import { identityWebhooks } from './identity-webhooks.js';

const TRAITS = {
  properties: { email: { type: 'string' }, age: { type: 'integer' } },
};

let stack: FormsStack;
let client: FormsClient;
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
const newIdentity = async () => {
  const body = { schema_id: 'user', traits: { email: 'a', age: 1 } };
  return (await client.admin('POST', '/v1/identities', body)).body.id as string;
};
const eventsAfter = async (after = '', more = '') => {
  const answer = await client.admin('GET', `/v1/events?page_size=1000&after=${after}${more}`);
  return answer.body.events as Json[];
};
const lastId = async () => ((await eventsAfter()).at(-1)?.id ?? '') as string;
const deliver = () => deliverAll(delivery, IDENTITY_EVENTS.sourceId);
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

  it('200: begins at a time, and continues from there', async () => {
    const before = await lastId();
    const ids = [await newIdentity(), await newIdentity()];
    const [{ created_at: from } = {} as Json] = await eventsAfter(before);
    const list = async (more: string) =>
      (await client.admin('GET', `/v1/events?from_time=${from}&page_size=1${more}`)).body;
    const first = await list('');
    const second = await list(`&page_token=${first.next_page_token}`);
    const events = [...first.events, ...second.events];
    expect(events.map(({ data }) => data.identity_id)).toEqual(ids);
    const later = await client.admin('GET', '/v1/events?from_time=2999-01-01T00:00:00Z');
    expect(later.body).toEqual({ events: [], next_page_token: '' });
  });

  it('a change that is refused is no event', async () => {
    const before = await lastId();
    await client.admin('POST', '/v1/identities', { schema_id: 'user', traits: { age: 'x' } });
    await client.admin('DELETE', '/v1/identities/01900000-0000-7000-8000-000000000000');
    expect(await eventsAfter(before)).toEqual([]);
  });

  it.each([
    'after=x',
    'after=01900000-0000-7000-8000-000000000000',
    'after=x&from_time=2026-01-01T00:00:00Z',
    'from_time=yesterday',
    'type=x',
    'page_token=x',
  ])('400: %s', async (query) => {
    const answer = await client.admin('GET', `/v1/events?${query}`);
    expect([answer.status, fieldsOf(answer)]).toEqual([
      400,
      expect.stringContaining(query.split('=')[0] ?? ''),
    ]);
  });

  it.each([
    ['catalogue.json', catalogSchema(IDENTITY_EVENT_CATALOG)],
    ['asyncapi.json', asyncApiDocument(IDENTITY_EVENT_CATALOG, VERSION)],
  ])('/events/%s describes every type, without a credential', async (file, description) => {
    const { status, body } = await client.send('GET', `/events/${file}`);
    expect([status, body]).toEqual([200, description]);
  });
});

describePlainDelivery(() => identityWebhooks(client, stack), deliver);
