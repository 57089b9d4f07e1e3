/** The endpoints of a directory over HTTP, with a worker that runs. */
import * as testing from '@gatehouse/testing';
import { Webhook } from 'standardwebhooks';
import {
  API_KEY,
  manage,
  newDirectory,
  openSyncStack,
  type Service,
  type TestDirectory,
  user,
} from './sync-stack.js';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let stack: testing.TestStack;
let api: Service;
let receiver: testing.WebhookReceiver;
let directory: TestDirectory;

beforeAll(async () => {
  stack = await openSyncStack();
  api = await stack.start('dsync-api');
});
beforeEach(async () => {
  receiver = await testing.startWebhookReceiver();
  directory = await newDirectory(api, { webhook_url: `${receiver.url}/first` });
});
afterEach(() => receiver.close());
afterAll(() => stack.close());

const pathOf = (id = '') => `/${directory.id}/webhook-endpoints${id && `/${id}`}`;
const create = async (members: object = {}) => {
  const body = { url: `${receiver.url}/second`, ...members };
  const answer = await manage(api, 'POST', pathOf(), body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.data;
};
const get = async (path: string) => (await manage(api, 'GET', path)).body.data;
const bodiesAt = (path: string) =>
  receiver.received.filter((each) => each.path === path).map(({ body }) => JSON.parse(body));
const codeOf = (answer: testing.Answer) => [answer.status, answer.body.error?.code];

it('200: directories and endpoints that need attention are found in one list each', async () => {
  const { id: further } = await create();
  const { id } = directory;
  const { tenant } = await get(`/${id}`);
  await manage(api, 'POST', pathOf(`${further}/pause`));
  const paused = { state: 'paused', reason: 'paused by an administrator' };
  const unhealthy = await manage(api, 'GET', `?has_errors=true&state=paused&tenant=${tenant}`);
  expect([unhealthy.status, unhealthy.body.data]).toMatchObject([
    200,
    [{ id, health: { state: 'paused', has_errors: true, errors: [paused] } }],
  ]);
  expect(await get(`/${id}/status`)).toMatchObject({ health: unhealthy.body.data[0].health });
  const { body, headers } = await manage(
    api,
    'GET',
    `/webhook-endpoints?tenant=${tenant}&pageLimit=1`,
  );
  expect(body.data).toMatchObject([{ id, directory_id: id, tenant, state: 'healthy' }]);
  expect(headers.get('link')).toMatch(/pageOffset=1>; rel="next"$/);
  const endpoints = await get(`/webhook-endpoints?tenant=${tenant}&state=paused`);
  expect(endpoints).toMatchObject([{ id: further, directory_id: id, ...paused }]);
  expect(JSON.stringify(endpoints)).not.toContain('secret');
});

it('400: an unknown state or parameter', async () => {
  for (const query of ['?state=none', '?has_errors=maybe', '/product?product=p&state=none']) {
    expect(codeOf(await manage(api, 'GET', query))).toEqual([400, 400]);
  }
  for (const query of ['state=none', 'status=failing']) {
    expect(codeOf(await manage(api, 'GET', `/webhook-endpoints?${query}`))).toEqual([400, 400]);
  }
});

describe('with a worker', () => {
  beforeAll(() =>
    stack.start('dsync-worker', {
      DSYNC_SWEEP_INTERVAL: '1',
      DSYNC_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1',
      DSYNC_EVENT_ATTEMPTS: '2',
    }),
  );

  it('each endpoint gets what it wants, signed with its own secret', async () => {
    const { secret, ...endpoint } = await create({
      types: ['user.created'],
      headers: { 'X-Team': 'second' },
      logs_attempts: true,
    });
    expect(endpoint).toMatchObject({
      types: ['user.created'],
      header_names: ['x-team'],
      state: 'healthy',
      reason: null,
    });
    const { body: ada } = await directory.scim('POST', '/Users', user('ada'));
    await directory.scim('DELETE', `/Users/${ada.id}`);
    await receiver.waitFor(3);
    expect(bodiesAt('/first').map(({ event }) => event)).toEqual(['user.created', 'user.deleted']);
    const [second] = receiver.received.filter(({ path }) => path === '/second');
    const headers = second?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(second?.body ?? '', headers)).toMatchObject({
      event: 'user.created',
      directory_id: directory.id,
    });
    expect(headers['x-team']).toBe('second');
    await testing.eventually(async () => {
      const { attempts } = await get(`${pathOf(endpoint.id)}/attempts`);
      expect(attempts).toMatchObject([
        { url: `${receiver.url}/second`, status_code: 200, error: null, response: '' },
      ]);
      expect(await get(`/events/${attempts[0].event_id}`)).toMatchObject({ state: 'delivered' });
    });
    const { attempts: first } = await get(`${pathOf(directory.id)}/attempts`);
    expect(first).toMatchObject([{ response: null }, { response: null }]);
  });

  it('an event that one endpoint refuses is parked there, and resent to it alone', async () => {
    const { id } = await create();
    receiver.respond(({ path, body }) =>
      path === '/second' && body.includes('poison') ? { status: 422 } : {},
    );
    await directory.scim('POST', '/Users', user('poison'));
    await directory.scim('POST', '/Users', user('good'));
    await testing.eventually(
      async () => expect(await get(`${pathOf(id)}/status`)).toMatchObject({ dead: 1, pending: 0 }),
      { timeoutMs: 15_000 },
    );
    const { parked_events: all } = await get(`${pathOf(id)}/parked-events`);
    expect(all).toMatchObject([{ reason: 'the endpoint answered 422', attempts: 2 }]);
    const [parked] = all;
    expect(await get(`${pathOf(directory.id)}/parked-events`)).toMatchObject({ parked_events: [] });

    receiver.respond(() => ({}));
    receiver.received.splice(0);
    const path = `/events/${parked.event_id}`;
    const resent = await manage(api, 'POST', `${path}/resend`, { endpoint_id: id });
    expect(resent.status).toBe(200);
    await testing.eventually(async () => expect((await get(path)).state).toBe('delivered'));
    expect(receiver.received.map((each) => each.path)).toEqual(['/second']);

    const replayed = await manage(api, 'POST', `/${directory.id}/events/replay`, {
      from_time: '2026-01-01T00:00:00Z',
      endpoint_id: id,
    });
    expect(replayed.body.data).toEqual({ endpoints: 1 });
    await receiver.waitFor(3);
    expect(bodiesAt('/second').map(({ data }) => data.raw.userName)).toEqual([
      'poison',
      'poison',
      'good',
    ]);
    expect(bodiesAt('/first')).toEqual([]);
  });
});

it('400: the webhook of the directory is not deleted, and other members are named', async () => {
  const answers = [
    await manage(api, 'DELETE', pathOf(directory.id)),
    await manage(api, 'PATCH', pathOf(directory.id), { url: 'https://example.com' }),
    await manage(api, 'POST', `${pathOf(directory.id)}/rotate-secret`, { overlap: 'x' }),
    await manage(api, 'GET', `${pathOf(directory.id)}/attempts?page_size=x`),
    await manage(api, 'GET', `${pathOf(directory.id)}/attempts?offset=1`),
    await manage(api, 'POST', `/events/${UNKNOWN}/resend`, { endpoint: 'x' }),
    await manage(api, 'POST', `/${directory.id}/events/replay`, { from_time: 'x' }),
  ];
  expect(answers.map(codeOf)).toEqual(answers.map(() => [400, 400]));
  const messages = answers.map(({ body }) => body.error.message.split(':')[0]);
  expect(messages).toEqual([
    'id',
    'url',
    'overlap',
    'page_size',
    'offset',
    'endpoint',
    'from_time',
  ]);
});

it('404: endpoints of another directory, or of none', async () => {
  const { id } = await create();
  const other = await newDirectory(api, { webhook_url: receiver.url });
  const { body } = await directory.scim('POST', '/Users', user('ada'));
  expect(body.id).toBeDefined();
  const [{ id: event }] = await get(`/events?directoryId=${directory.id}`);
  for (const path of [
    `/${other.id}/webhook-endpoints/${id}`,
    `/${UNKNOWN}/webhook-endpoints/${id}`,
    `/x/webhook-endpoints/${id}`,
    `/${directory.id}/webhook-endpoints/${UNKNOWN}`,
    `/${directory.id}/webhook-endpoints/x`,
  ]) {
    const calls: [string, string, object?][] = [
      ...(['', '/status', '/attempts', '/parked-events'] as const).map((more): [string, string] => [
        'GET',
        more,
      ]),
      ...(['/pause', '/resume', '/test', '/rotate-secret'] as const).map(
        (more): [string, string] => ['POST', more],
      ),
      ['PATCH', '', { types: null }],
      ['DELETE', ''],
    ];
    for (const [method, more, content] of calls) {
      const answer = await manage(api, method, path + more, content);
      expect([method, path + more, answer.status]).toEqual([method, path + more, 404]);
    }
  }
  const foreign = { endpoint_id: other.id };
  const resent = await manage(api, 'POST', `/events/${event}/resend`, foreign);
  const range = { from_time: '2026-01-01T00:00:00Z', ...foreign };
  const replayed = await manage(api, 'POST', `/${directory.id}/events/replay`, range);
  expect([resent.status, replayed.status]).toEqual([404, 404]);
});

it('401 without a credential', async () => {
  const headers = { authorization: `Api-Key ${API_KEY}x` };
  const answer = await manage(api, 'GET', pathOf(), undefined, headers);
  expect(answer.status).toBe(401);
});
