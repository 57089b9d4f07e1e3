/** What became of the deliveries of key events, and their repetition, with a worker that runs. */
import { eventually, type Json } from '@gatehouse/testing';
import { namedFields, reasonOf } from './key-stack.js';
import { useWebhooks } from './webhook-fixture.js';

const fixture = useWebhooks();
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

const get = async (path: string) => (await fixture.service.admin('GET', path)).body;
const lastEventId = async () => (await get('/keyEvents?page_size=1000')).key_events.at(-1).id;
const issue = async () => {
  const { key } = await fixture.service.issue();
  return key.key_id as string;
};

describe('with a worker', () => {
  beforeAll(() => fixture.service.startWorker());

  it('an event that the receiver refuses is listed, resent and delivered', async () => {
    const { path, endpoint } = await fixture.create({ logs_attempts: true });
    const poison = await issue();
    fixture.receiver.respond(({ body }) =>
      body.includes(poison) ? { status: 422, body: 'no, thank you' } : {},
    );
    const good = await issue();
    await eventually(async () => expect((await get(`${path}/status`)).dead).toBe(1), {
      timeoutMs: 15_000,
    });
    const { parked_events: parked } = await get(`${path}/parkedEvents`);
    expect(parked).toMatchObject([{ reason: 'the endpoint answered 422', attempts: 2 }]);
    const { event_id: id } = parked[0];
    const record = await get(`/keyEvents/${id}`);
    expect(record).toMatchObject({
      event: 'key.issued',
      data: { key_id: poison },
      state: 'DELIVERY_STATE_DEAD',
      id,
      attempts: [
        { endpoint_id: endpoint.endpoint_id, status_code: 422 },
        { status_code: 422, error: 'the endpoint answered 422' },
      ],
    });
    await eventually(async () => {
      const { delivery_attempts: attempts } = await get(`${path}/attempts`);
      expect(attempts.map((each: Json) => [each.status_code, each.response])).toEqual([
        [200, ''],
        [422, 'no, thank you'],
        [422, 'no, thank you'],
      ]);
    });
    const first = await get(`${path}/attempts?page_size=2`);
    const rest = await get(`${path}/attempts?page_size=2&page_token=${first.next_page_token}`);
    expect([first.delivery_attempts.length, rest.delivery_attempts.length]).toEqual([2, 1]);
    expect(rest.next_page_token).toBe('');

    fixture.receiver.respond(() => ({}));
    const resent = await fixture.service.admin('POST', `/keyEvents/${id}:resend`);
    expect([resent.status, resent.body.id]).toEqual([200, id]);
    await eventually(async () => {
      expect((await get(`/keyEvents/${id}`)).state).toBe('DELIVERY_STATE_DELIVERED');
      expect(await get(`${path}/status`)).toEqual({
        pending: 0,
        oldest_pending_age_seconds: null,
        dead: 0,
      });
    });
    const delivered = fixture.bodies().filter(({ event }) => event !== 'webhook.ping');
    expect(delivered.at(-1).data.key_id).toBe(poison);
    expect(delivered.some(({ data }) => data.key_id === good)).toBe(true);
  });

  it('a part of the log is sent again in order, to one endpoint or to all', async () => {
    const before = await lastEventId();
    const { endpoint } = await fixture.create();
    const other = await fixture.create({
      types: ['key.revoked'],
      url: `${fixture.receiver.url}/b`,
    });
    const keys = [await issue(), await issue(), await issue()];
    await fixture.service.admin('POST', `/apiKeys/${keys[1]}:revoke`, {});
    await fixture.receiver.waitFor(5);
    const last = await lastEventId();
    const replay = async (range: object) => {
      // A replay ends where the deliveries that are recorded end.
      await eventually(async () => {
        expect((await get(`/keyEvents/${last}`)).state).toBe('DELIVERY_STATE_DELIVERED');
      });
      fixture.receiver.received.splice(0);
      const answer = await fixture.service.admin('POST', '/keyEvents:replay', range);
      expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
      return answer.body.endpoints as number;
    };
    const arrivals = () =>
      fixture.receiver.received.map(({ path, body }) => [path, JSON.parse(body).data.key_id]);

    expect(await replay({ after: before })).toBe(2);
    await fixture.receiver.waitFor(5);
    expect(arrivals().filter(([path]) => path === '/')).toEqual(
      [...keys, keys[1]].map((id) => ['/', id]),
    );
    expect(arrivals().filter(([path]) => path === '/b')).toEqual([['/b', keys[1]]]);

    expect(await replay({ after: before, endpoint_id: other.endpoint.endpoint_id })).toBe(1);
    await fixture.receiver.waitFor(1);
    expect(arrivals()).toEqual([['/b', keys[1]]]);

    const [{ created_at: from }] = (await get(`/keyEvents?after=${before}`)).key_events;
    const range = { from_time: from, types: ['key.issued'] };
    expect(await replay({ ...range, endpointId: endpoint.endpoint_id })).toBe(1);
    await fixture.receiver.waitFor(3);
    expect(arrivals()).toEqual(keys.map((id) => ['/', id]));

    const { audit_events: audited } = await get('/auditEvents?page_size=1');
    expect(audited).toMatchObject([
      {
        type: 'events.replayed',
        details: { types: ['key.issued'], endpoint_id: endpoint.endpoint_id },
      },
    ]);
  });
});

describe('a replay', () => {
  it.each([
    [{}, ['after']],
    [{ after: UNKNOWN }, ['after']],
    [{ after: 'x' }, ['after']],
    [{ after: UNKNOWN, from_time: '2026-01-01T00:00:00Z' }, ['after']],
    [{ from_time: 'yesterday' }, ['from_time']],
    [{ from_time: '2026-01-01T00:00:00Z', until: '2025-01-01T00:00:00Z' }, ['until']],
    [{ from_time: '2026-01-01T00:00:00Z', types: ['key.issued', 'x'] }, ['types[1]']],
    [{ from_time: '2026-01-01T00:00:00Z', type: 'key.issued' }, ['type']],
  ])('400: %j', async (range, fields) => {
    const answer = await fixture.service.admin('POST', '/keyEvents:replay', range);
    expect([answer.status, namedFields(answer)]).toEqual([400, fields]);
  });
});

describe('an event', () => {
  it('409: is not resent without an endpoint that takes it', async () => {
    const { path } = await fixture.create({ types: ['key.revoked'] });
    await issue();
    const id = await lastEventId();
    const refused = await fixture.service.admin('POST', `/keyEvents/${id}:resend`, {});
    expect([refused.status, reasonOf(refused)]).toEqual([409, 'NO_WEBHOOK_ENDPOINT']);
    expect(await get(`/keyEvents/${id}`)).toMatchObject({
      state: 'DELIVERY_STATE_NOT_SENT',
      attempts: [],
    });
    expect(await get(`${path}/status`)).toMatchObject({ dead: 0 });
    const { audit_events: audited } = await get('/auditEvents?page_size=1');
    expect(audited[0].type).not.toBe('event.resent');
  });

  it.each([
    ['GET', `/keyEvents/${UNKNOWN}`, 'EVENT_NOT_FOUND'],
    ['GET', '/keyEvents/x', 'EVENT_NOT_FOUND'],
    ['POST', `/keyEvents/${UNKNOWN}:resend`, 'EVENT_NOT_FOUND'],
    ['GET', `/webhookEndpoints/${UNKNOWN}/attempts`, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
    ['GET', `/webhookEndpoints/${UNKNOWN}/parkedEvents`, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
    ['GET', '/webhookEndpoints/x/status', 'WEBHOOK_ENDPOINT_NOT_FOUND'],
  ])('404: %s %s', async (method, path, reason) => {
    const answer = await fixture.service.admin(method, path, method === 'GET' ? undefined : {});
    expect([answer.status, reasonOf(answer)]).toEqual([404, reason]);
  });

  it('404: is not sent to an endpoint that does not exist', async () => {
    await issue();
    const path = `/keyEvents/${await lastEventId()}:resend`;
    for (const endpoint of [UNKNOWN, 'x']) {
      const answer = await fixture.service.admin('POST', path, { endpoint_id: endpoint });
      expect([answer.status, reasonOf(answer)]).toEqual([404, 'WEBHOOK_ENDPOINT_NOT_FOUND']);
    }
  });
});

describe('a list of attempts', () => {
  it.each([
    ['page_token=x', 'page_token'],
    ['page_size=x', 'page_size'],
    ['filter=x', 'filter'],
  ])('400: %s', async (query, field) => {
    const { path } = await fixture.create();
    for (const list of ['attempts', 'parkedEvents']) {
      const answer = await fixture.service.admin('GET', `${path}/${list}?${query}`);
      expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
    }
  });
});
