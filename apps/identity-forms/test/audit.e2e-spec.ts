/** The audit log of identity forms: one event for each change by an administrator. */
import { type FormsClient, schemaOf } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';

const TEXT = { name: { type: 'string' } };
const IP = '203.0.113.9';

let stack: FormsStack;
let client: FormsClient;

beforeAll(async () => {
  stack = await openFormsStack();
  ({ client } = await stack.start({
    CLIENT_IP_SOURCE: 'x-real-ip',
    TRUSTED_PROXIES: '127.0.0.1/32',
  }));
});
afterAll(() => stack.close());

const listed = async (query: string) =>
  (await client.admin('GET', `/v1/audit-events?${query}`)).body.audit_events;
const as = (id: string) => ({ 'x-request-id': id, 'x-real-ip': IP });

it('200: lists one event for each change, with caller, address and request id', async () => {
  const schema = schemaOf(TEXT);
  await client.admin('POST', '/v1/schemas', { id: 'audited', schema }, as('audit-register'));
  const newer = schemaOf({ name: { type: 'string' }, age: { type: 'integer' } });
  await client.admin('PUT', '/v1/schemas/audited', { schema: newer }, as('audit-put'));
  const traits = { name: 'Ada Lovelace' };
  const { body: identity } = await client.admin(
    'POST',
    '/v1/identities',
    { schema_id: 'audited', traits },
    as('audit-create'),
  );
  const path = `/v1/identities/${identity.id}`;
  await client.admin('PATCH', path, { traits: { age: 36 } }, as('audit-patch'));
  const { body: flow } = await client.admin(
    'POST',
    '/v1/flows',
    { kind: 'profile', identity_id: identity.id },
    as('audit-flow'),
  );
  await client.admin('DELETE', path, undefined, as('audit-delete'));

  const [{ caller }] = await listed('target_id=audited');
  expect(caller).toMatch(/^admin-key:/);
  const events = await listed(`caller=${caller}`);
  const common = { caller, ip: IP };
  expect(events).toMatchObject([
    { ...common, type: 'identity.deleted', target_id: identity.id, request_id: 'audit-delete' },
    {
      ...common,
      type: 'flow.created',
      target_id: flow.id,
      request_id: 'audit-flow',
      details: { kind: 'profile', identity_id: identity.id },
    },
    {
      ...common,
      type: 'identity.updated',
      request_id: 'audit-patch',
      details: { fields: ['traits.age'] },
    },
    {
      ...common,
      type: 'identity.created',
      request_id: 'audit-create',
      details: { fields: ['traits.name'] },
    },
    {
      ...common,
      type: 'schema.updated',
      target_id: 'audited',
      request_id: 'audit-put',
      details: { version: 2, fields: ['schema'] },
    },
    { ...common, type: 'schema.registered', target_id: 'audited', request_id: 'audit-register' },
  ]);
  expect(events).toHaveLength(6);
  expect(JSON.stringify(events)).not.toContain('Lovelace');
  expect(await listed(`target_id=${identity.id}&type=identity.updated`)).toEqual([events[2]]);
});

it('200: lists what the settings change at start, for the caller `settings`', async () => {
  await stack.start({ EXAMPLE_SCHEMA: 'true' });
  expect(await listed('target_id=example')).toMatchObject([
    { type: 'schema.registered', caller: 'settings', ip: '', request_id: '' },
  ]);
});

it('200: pages', async () => {
  for (const id of ['page-1', 'page-2', 'page-3']) await client.schema(id, TEXT);
  const list = async (more = '') =>
    (await client.admin('GET', `/v1/audit-events?type=schema.registered&page_size=2${more}`)).body;
  const first = await list();
  const targets = first.audit_events.map(({ target_id }: { target_id: string }) => target_id);
  expect(targets).toEqual(['page-3', 'page-2']);
  const second = await list(`&page_token=${first.next_page_token}`);
  expect(second.audit_events[0].target_id).toBe('page-1');
});

it('a change that is refused, or that changes nothing, writes no event', async () => {
  await client.schema('refused', TEXT);
  const before = await listed('page_size=1');
  const unknown = '01900000-0000-7000-8000-000000000000';
  const schema = schemaOf(TEXT);
  for (const [method, path, body, status] of [
    ['PUT', '/v1/schemas/refused', { schema }, 200],
    ['POST', '/v1/schemas', { id: 'refused', schema }, 409],
    ['PUT', '/v1/schemas/refused', { schema: { type: 'nothing' } }, 422],
    ['POST', '/v1/identities', { schema_id: 'nothing', traits: {} }, 404],
    ['PATCH', `/v1/identities/${unknown}`, { traits: {} }, 404],
    ['DELETE', `/v1/identities/${unknown}`, undefined, 404],
    ['POST', '/v1/flows', { kind: 'profile', identity_id: unknown }, 404],
  ] as const) {
    expect([path, (await client.admin(method, path, body)).status]).toEqual([path, status]);
  }
  expect(await listed('page_size=1')).toEqual(before);
});

it.each(['page_size=x', 'page_token=x', 'kind=x', `caller=${'x'.repeat(513)}`])(
  '400: %s',
  async (query) => {
    expect((await client.admin('GET', `/v1/audit-events?${query}`)).status).toBe(400);
  },
);
