/** The request log as administrators see it, of SCIM requests that two replicas answered. */
import { eventually, type Json, type TestStack } from '@gatehouse/testing';
import {
  manage,
  newDirectory,
  openSyncStack,
  sendScim,
  type Service,
  type TestDirectory,
  user,
} from './sync-stack.js';

let stack: TestStack;
let api: Service;
let other: Service;
let directory: TestDirectory;

beforeAll(async () => {
  stack = await openSyncStack();
  [api, other] = await Promise.all([stack.start('dsync-api'), stack.start('dsync-api')]);
});
afterAll(() => stack.close());
beforeEach(async () => {
  directory = await newDirectory(api);
});

const listed = async (query = '', service = other): Promise<Json[]> =>
  (await manage(service, 'GET', `/${directory.id}/requests${query}`)).body.data;
const eventuallyListed = (count: number) =>
  eventually(async () => {
    const found = await listed('?limit=1000');
    expect(found).toHaveLength(count);
    return found;
  });
/** Sends a request to the other replica. */
const scim = (method: string, path: string, content?: unknown, headers = {}) =>
  sendScim(other.http, directory.secret, method, directory.path + path, content, headers);

it('200: lists reads, writes and refused requests of all replicas, newest first', async () => {
  const agent = { 'user-agent': 'Okta SCIM Client 1.0.0', 'x-request-id': 'first' };
  await scim('GET', '/Users?filter=userName%20eq%20%22ann%22', undefined, agent);
  const { body: ann } = await directory.scim('POST', '/Users', user('ann', { title: 'Dr' }));
  await directory.scim('POST', '/Users', user('ann'));
  await scim('PATCH', `/Users/${ann.id}`, {
    Operations: [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'a@example.com' }],
  });
  await scim('PUT', '/Users', '<xml>', { 'content-type': 'text/xml' });
  await directory.scim('POST', '/Users', `{"userName":"${'x'.repeat(2_100_000)}"}`);
  const found = await eventuallyListed(6);
  const common = { id: expect.any(String), time: expect.any(String), captured: false };
  const sorted = [...found].sort((a, b) => (a.time < b.time ? 1 : -1));
  expect(found.map(({ id }) => id)).toEqual(
    found
      .map(({ id }) => id as string)
      .sort()
      .reverse(),
  );
  expect(sorted).toMatchObject([
    { ...common, method: 'POST', status: 413, detail: expect.stringMatching(/large|body/i) },
    { ...common, method: 'PUT', status: 415, detail: expect.stringMatching(/scim\+json/) },
    { method: 'PATCH', path: `/Users/${ann.id}`, resource_id: ann.id },
    { status: 409, scim_type: 'uniqueness', detail: expect.stringMatching(/userName/) },
    { method: 'POST', status: 201, attributes: ['userName', 'title'], resource_id: ann.id },
    {
      method: 'GET',
      path: '/Users',
      filter: 'userName eq "ann"',
      status: 200,
      user_agent: agent['user-agent'],
      request_id: 'first',
      attributes: [],
      duration_ms: expect.any(Number),
    },
  ]);
  expect(JSON.stringify(found)).not.toContain(directory.secret);
  expect(JSON.stringify(found)).not.toContain('a@example.com');
});

it('200: filters by status, method and resource, page by page', async () => {
  const { body: ann } = await directory.scim('POST', '/Users', user('ann'));
  await directory.scim('POST', '/Users', user('ann'));
  await directory.scim('GET', `/Users/${ann.id}`);
  await directory.scim('GET', '/Users/unknown');
  const all = await eventuallyListed(4);
  const statuses = async (query: string) => (await listed(query)).map(({ status }) => status);
  expect(await statuses('?status=409')).toEqual([409]);
  expect(await statuses('?status=4xx')).toEqual([404, 409]);
  expect(await statuses('?method=GET')).toEqual([404, 200]);
  expect(await statuses(`?resource_id=${ann.id}`)).toEqual([200, 201]);
  expect(await statuses(`?method=POST&status=2XX&resource_id=${ann.id}`)).toEqual([201]);
  const first = await listed('?limit=3');
  expect(first).toEqual(all.slice(0, 3));
  expect(await listed(`?limit=3&after=${first[2].id}`)).toEqual(all.slice(3));
});

it.each([
  ['status=600', 'status'],
  ['status=4', 'status'],
  ['method=FETCH', 'method'],
  ['after=1', 'after'],
  ['limit=0', 'limit'],
  ['resource_id=%00', 'resource_id'],
  ['pageOffset=1', 'pageOffset'],
])('400: %s names the field', async (query, field) => {
  const { status, body } = await manage(api, 'GET', `/${directory.id}/requests?${query}`);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(field)]);
});

it('404: an unknown directory, and a request of another directory', async () => {
  await directory.scim('GET', '/Users');
  const [{ id }] = (await eventuallyListed(1)) as [Json];
  const { id: otherId } = await newDirectory(api);
  const unknown = '01900000-0000-7000-8000-000000000000';
  for (const path of [`/${unknown}/requests`, `/${otherId}/requests/${id}`, `/x/requests/${id}`]) {
    expect((await manage(api, 'GET', path)).status).toBe(404);
  }
});

it('logs a wrong secret, but a stranger fills neither the log nor the rate of errors', async () => {
  await directory.scim('GET', '/Users');
  const stranger = (path: string, body?: unknown) =>
    sendScim(api.http, 'wrong-secret', body ? 'POST' : 'GET', directory.path + path, body);
  for (let count = 0; count < 30; count += 1) await stranger('/Users');
  await stranger('/Users', user('mallory'));
  await sendScim(api.http, 'wrong-secret', 'GET', '/api/scim/v2.0/nothing/Users');
  const found = await eventuallyListed(11);
  expect(found.filter(({ status }) => status === 401)).toHaveLength(10);
  expect(JSON.stringify(found)).not.toContain('wrong-secret');
  await eventually(async () => {
    const { body } = await manage(api, 'GET', `/${directory.id}/status`);
    expect(body.data.requests).toMatchObject({ requests: 1, errors: 0, unauthorized: 31 });
  });
});

it('names the token of a request, also when it has expired, and both replicas refuse it then', async () => {
  const tokens = `/${directory.id}/scim-tokens`;
  const { body: created } = await manage(api, 'POST', tokens, { name: 'Okta' });
  const { id, secret } = created.data;
  const sent = async (service: Service) =>
    (await sendScim(service.http, secret as string, 'GET', `${directory.path}/Users`)).status;
  const both = () => Promise.all([sent(api), sent(other)]);
  expect(await both()).toEqual([200, 200]);
  await directory.scim('GET', '/Users');
  let until = 0;
  await eventually(async () => {
    // Refused if it is over before the request arrives.
    until = Date.now() + 500;
    const change = { expires_at: new Date(until).toISOString() };
    expect((await manage(api, 'PATCH', `${tokens}/${id}`, change)).status).toBe(200);
  });
  await eventually(() => expect(Date.now()).toBeGreaterThan(until));
  expect(await both()).toEqual([401, 401]);
  expect((await manage(other, 'DELETE', `${tokens}/${id}`)).status).toBe(200);
  expect(await both()).toEqual([401, 401]);
  const found = await eventuallyListed(7);
  expect(found.map(({ status, token_id }) => [status, token_id]).sort()).toEqual(
    [
      [200, id],
      [200, id],
      [200, null],
      [401, id],
      [401, id],
      [401, null],
      [401, null],
    ].sort(),
  );
  expect(JSON.stringify(found)).not.toContain(secret);
});

it('shows redacted bodies of the requests that come while they are captured', async () => {
  await scim('POST', '/Users', user('before'));
  const path = `/${directory.id}/requests/capture`;
  const { status, body } = await manage(api, 'POST', path, { duration: '4h' });
  const hours = (Date.parse(body.data.capture_until) - Date.now()) / 3_600_000;
  expect([status, Math.round(hours)]).toEqual([200, 4]);
  await scim('POST', '/Users', user('ann', { password: 'p4ssw0rd', displayName: 'Ann' }));
  expect((await manage(api, 'DELETE', path)).status).toBe(200);
  await scim('POST', '/Users', user('after'));
  const found = await eventuallyListed(3);
  expect(found.map(({ captured }) => captured)).toEqual([false, true, false]);
  const get = async (id: string) =>
    (await manage(api, 'GET', `/${directory.id}/requests/${id}`)).body.data;
  const { bodies } = await get(found[1].id);
  expect(JSON.parse(bodies.request)).toMatchObject({ displayName: 'Ann', password: '[redacted]' });
  expect(JSON.parse(bodies.response)).toMatchObject({ userName: 'ann' });
  expect((await get(found[0].id)).bodies).toBeNull();
  const stored = await stack.database.query(
    'SELECT bodies_sealed FROM dsync.scim_requests WHERE id = $1',
    [found[1].id],
  );
  expect(JSON.stringify(stored)).not.toMatch(/p4ssw0rd|"Ann/);
  const { body: audit } = await manage(api, 'GET', `/audit-events?targetId=${directory.id}`);
  expect(audit.data.map(({ type }: Json) => type).slice(0, 2)).toEqual([
    'directory.capture_stopped',
    'directory.capture_started',
  ]);
});

it.each([
  [{}, /^duration: is required$/],
  [{ duration: null }, /^duration: [^;]+$/],
  [{ duration: '25h' }, /^duration: must be at most 86400s$/],
  [{ duration: '1s' }, /^duration: must be at least a minute$/],
  [{ duration: '0s' }, /^duration: [^;]+$/],
  [{ duration: 'soon' }, /^duration: [^;]+$/],
  [{ duration: 60 }, /^duration: must be a duration such as "24h", as a string$/],
  [{ hours: 4 }, /hours/],
])('400: a capture of %j names the field once', async (input, message) => {
  const path = `/${directory.id}/requests/capture`;
  const { status, body } = await manage(api, 'POST', path, input);
  expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)]);
});

it('sums up the requests of a day in the status, and recognizes the provider', async () => {
  const agent = { 'user-agent': 'Okta SCIM Client 1.0.0' };
  await scim('GET', '/Users', undefined, agent);
  await scim('GET', '/Users/unknown', undefined, agent);
  await scim('POST', '/Users', {}, agent);
  await scim('POST', '/Users', user('ann'), agent);
  await eventually(async () => {
    const { body } = await manage(api, 'GET', `/${directory.id}/status`);
    expect(body.data.requests).toEqual({
      requests: 4,
      errors: 1,
      error_rate: 0.25,
      unauthorized: 0,
      last_unauthorized_at: null,
      secret_last_used_at: expect.any(String),
      provider: 'okta',
      user_agent: agent['user-agent'],
      usual_gap_seconds: null,
      quiet_since: null,
      capture_until: null,
    });
    expect(body.data.last_sync).toMatchObject({ error: expect.stringMatching(/userName/) });
  });
});

it('writes what waits when the process ends', async () => {
  const ending = await stack.start('dsync-api');
  for (let count = 0; count < 20; count += 1) {
    await sendScim(ending.http, directory.secret, 'GET', `${directory.path}/Users`);
  }
  expect(await ending.stop()).toBe(0);
  expect(await listed('?limit=1000')).toHaveLength(20);
});

describe('GET /scim-usage', () => {
  const usage = async (query: Record<string, string>) => {
    const { body } = await manage(
      other,
      'GET',
      `/scim-usage?${new URLSearchParams(query).toString()}`,
    );
    return body.data as Json[];
  };
  const hourOf = (ms: number) => new Date(Math.floor(ms / 3_600_000) * 3_600_000).toISOString();

  it('200: counts the requests of all replicas by status, those of a directory for it alone', async () => {
    const neighbor = await newDirectory(api);
    const startMs = Date.now();
    await scim('GET', '/Users');
    await directory.scim('POST', '/Users', user('ann'));
    await directory.scim('POST', '/Users', user('ann'));
    await sendScim(api.http, 'wrong-secret', 'GET', `${directory.path}/Users`);
    await neighbor.scim('GET', '/Users');
    const sums = async (query: Record<string, string>) => {
      const found = await usage(query);
      const ofStatus = (status: string) =>
        found
          .filter((each) => each.status === status)
          .reduce((sum, { count }) => sum + Number(count), 0);
      return [ofStatus('2xx'), ofStatus('4xx'), ofStatus('5xx')];
    };
    await eventually(async () => {
      expect(await sums({ directoryId: directory.id })).toEqual([2, 2, 0]);
      expect(await sums({ directoryId: neighbor.id })).toEqual([1, 0, 0]);
    });
    const [succeeded = 0, refused = 0] = await sums({});
    expect(succeeded).toBeGreaterThanOrEqual(3);
    expect(refused).toBeGreaterThanOrEqual(2);
    for (const { time } of await usage({ directoryId: directory.id })) {
      expect([hourOf(startMs), hourOf(Date.now())]).toContain(time);
    }
    expect(await usage({ to: new Date(startMs - 86_400_000).toISOString() })).toEqual([]);
  });

  it.each([
    ['from=yesterday', 'from'],
    ['to=2027-02-30T00:00:00Z', 'to'],
    ['to=9999-12-31T23:59:59Z', 'to'],
    ['from=2027-01-02T00:00:00Z&to=2027-01-02T00:00:00Z', 'to: must be after from'],
    ['from=2999-01-01T00:00:00Z', 'to: must be after from'],
    ['directoryId=%00', 'directoryId'],
    ['tenant=acme', 'tenant'],
  ])('400: %s names the field', async (query, message) => {
    const { status, body } = await manage(api, 'GET', `/scim-usage?${query}`);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it.each(['01900000-0000-7000-8000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'x'])(
    '404: the unknown directory %s',
    async (id) => {
      expect((await manage(api, 'GET', `/scim-usage?directoryId=${id}`)).status).toBe(404);
    },
  );
});
