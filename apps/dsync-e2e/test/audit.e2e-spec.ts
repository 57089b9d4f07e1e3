/** The audit log of directory sync: one event for each change, none for a change that was refused. */
import { startWebhookReceiver, type TestStack } from '@gatehouse/testing';
import { manage, newDirectory, openSyncStack, type Service, user } from './sync-stack.js';

let stack: TestStack;
let api: Service;

beforeAll(async () => {
  stack = await openSyncStack();
  api = await stack.start('dsync-api', {
    CLIENT_IP_SOURCE: 'x-real-ip',
    TRUSTED_PROXIES: '127.0.0.1/32',
  });
});
afterAll(() => stack.close());

const listed = async (query: string) =>
  (await manage(api, 'GET', `/audit-events?${query}`)).body.data;
const as = (id: string) => ({ 'x-request-id': id, 'x-real-ip': '203.0.113.9' });

it('200: lists one event for each change, with caller, address and request id, newest first', async () => {
  const { id } = await newDirectory(api);
  await manage(api, 'PATCH', `/${id}`, { name: 'secret name' }, as('audit-patch'));
  await manage(api, 'POST', `/${id}/rotate-secret`, {}, as('audit-rotate'));
  await manage(api, 'GET', `/${id}`, undefined, as('audit-read'));
  await manage(api, 'DELETE', `/${id}`, undefined, as('audit-delete'));
  const events = await listed(`targetId=${id}`);
  const common = { target_id: id, caller: expect.stringMatching(/^admin-key:/) };
  const ip = '203.0.113.9';
  expect(events).toMatchObject([
    { ...common, ip, type: 'directory.deleted', request_id: 'audit-delete' },
    { ...common, ip, type: 'directory.secrets_read', request_id: 'audit-read' },
    { ...common, ip, type: 'directory.secret_rotated', request_id: 'audit-rotate' },
    { ...common, ip, type: 'directory.updated', request_id: 'audit-patch' },
    { ...common, ip: '127.0.0.1', type: 'directory.created' },
  ]);
  expect(events[3].details).toEqual({ fields: ['name'] });
  expect(events[4].details).toEqual({ fields: ['tenant', 'product'] });
  expect(JSON.stringify(events)).not.toContain('secret name');
});

it('200: lists the reading of secrets in lists, cron calls and deliveries that are sent again', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const directory = await newDirectory(api, { product: 'audited', webhook_url: receiver.url });
    await directory.scim('POST', '/Users', user('ann'));
    const [event] = (await manage(api, 'GET', `/events?directoryId=${directory.id}`)).body.data;
    await manage(api, 'GET', '/product?product=audited', undefined, as('audit-list'));
    await manage(api, 'GET', '/product?product=nothing', undefined, as('audit-empty'));
    await manage(api, 'POST', `/events/${event.id}/resend`, undefined, as('audit-resend'));
    await manage(api, 'POST', '/cron/process-events', undefined, as('audit-cron'));
    const [{ caller }] = await listed(`targetId=${directory.id}`);
    const events = (await listed(`caller=${caller}`)).slice(0, 3);
    expect(events).toMatchObject([
      { type: 'events.processed', target_id: '', request_id: 'audit-cron' },
      {
        type: 'event.resent',
        target_id: event.id,
        request_id: 'audit-resend',
        details: { directory_id: directory.id },
      },
      {
        type: 'directory.secrets_read',
        target_id: '',
        request_id: 'audit-list',
        details: { directory_ids: [directory.id] },
      },
    ]);
    expect(await listed('type=event.resent')).toEqual([events[1]]);
    expect(await listed(`caller=${caller}&pageOffset=1&pageLimit=1`)).toEqual([events[1]]);
  } finally {
    await receiver.close();
  }
});

it('a change that is refused writes no event', async () => {
  const { id } = await newDirectory(api);
  const before = await listed('pageLimit=1');
  const unknown = '01900000-0000-7000-8000-000000000000';
  for (const [method, path, body] of [
    ['POST', '', { tenant: 'a:b', product: 'p' }],
    ['PATCH', `/${id}`, { deactivated: 'perhaps' }],
    ['PATCH', `/${unknown}`, { name: 'x' }],
    ['POST', `/${id}/rotate-secret`, { overlap: 'soon' }],
    ['DELETE', `/${unknown}`, undefined],
    ['POST', `/events/${unknown}/resend`, undefined],
    ['POST', '/cron/process-events?wait=x', undefined],
    ['GET', `/${unknown}`, undefined],
  ] as const) {
    expect((await manage(api, method, path, body)).status).toBeGreaterThanOrEqual(400);
  }
  expect(await listed('pageLimit=1')).toEqual(before);
});

it.each(['pageLimit=x', `type=${'x'.repeat(513)}`, 'caller=%00'])('400: %s', async (query) => {
  expect((await manage(api, 'GET', `/audit-events?${query}`)).status).toBe(400);
});
