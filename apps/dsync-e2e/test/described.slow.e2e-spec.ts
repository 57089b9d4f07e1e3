/**
 * The service does what /openapi.json says: each operation is called, and the client of the test
 * stack compares every answer with its description.
 */
import { asyncApiDocument, catalogSchema, DIRECTORY_EVENT_CATALOG } from '@gatehouse/schemas';
import { VERSION } from '@gatehouse/nest-kit/http';
import * as testing from '@gatehouse/testing';
import { type Json } from '@gatehouse/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import { changeKeyLink, changeRoles, DescribedCalls, manageSetupLinks } from './described-calls.js';
import { API_KEY, openSyncStack, type Service, user } from './sync-stack.js';

const MANAGEMENT = '/api/v1/dsync';
const SCIM = '/api/scim/v2.0/{directoryId}';

let google: testing.FakeGoogle;
let stack: testing.TestStack;
let api: Service;
let receiver: testing.WebhookReceiver;
let document: Json;
let calls: DescribedCalls;

beforeAll(async () => {
  google = await testing.startFakeGoogle();
  stack = await openSyncStack({ settings: google.settings });
  api = await stack.start('dsync-api');
  receiver = await testing.startWebhookReceiver();
  ({ body: document } = await api.http.send('GET', '/openapi.json'));
  calls = new DescribedCalls(api.http, document);
});

afterAll(async () => {
  await receiver.close();
  await stack.close();
  await google.close();
});

const succeeds = (...request: Parameters<DescribedCalls['call']>) => calls.succeed(...request);

async function newDirectory(more: object = {}): Promise<Json> {
  const body = { tenant: 'acme', product: 'shop', ...more };
  return (await succeeds('POST', MANAGEMENT, { body })).data;
}

it('the document is valid OpenAPI', async () => {
  expect(await new Validator().validate(document)).toEqual({ valid: true });
});

it('describes what every operation answers to a wrong body and to too large a head', async () => {
  const { id, scim } = await newDirectory();
  const { statuses, undescribed } = await testing.answersToOddRequests(api.http.url, {
    headers: (path) => ({
      authorization: `Bearer ${path.startsWith('/api/scim/') ? scim.secret : API_KEY}`,
    }),
    ids: { directoryId: id as string },
    // Every SCIM error has the same body, which `default` describes.
    defaultFrom: 400,
  });
  expect(undescribed).toEqual([]);
  expect([...statuses]).toEqual(expect.arrayContaining([400, 413, 415, 431]));
});

it('the examples are requests that succeed', async () => {
  const { id: directoryId, scim } = await newDirectory();
  const { id: workspaceId } = await newDirectory({ type: 'workspace' });
  const requests = testing.prefilledPosts(document as never, {
    directoryId: directoryId as string,
  });
  expect(requests.length).toBeGreaterThanOrEqual(8);
  const refused: unknown[] = [];
  for (const { operationId, path, mediaType, body } of requests) {
    const secret = path.startsWith('/api/scim/') ? (scim.secret as string) : API_KEY;
    const headers: Record<string, string> = mediaType ? { 'content-type': mediaType } : {};
    headers.authorization = `Bearer ${secret}`;
    const isOfWorkspaces = operationId === 'syncWorkspace';
    const address = isOfWorkspaces ? path.replace(directoryId, workspaceId) : path;
    const answer = await api.http.send('POST', address, { json: body, headers });
    if (answer.status >= 300) refused.push([operationId, answer.text]);
  }
  expect(refused).toEqual([]);
});

describe('answers match the description', () => {
  it('of directories', async () => {
    const { id } = await newDirectory({
      webhook_url: `${receiver.url}/hook`,
      attribute_mapping: { rank: 'title' },
    });
    const path = { id };
    await succeeds('GET', MANAGEMENT);
    await succeeds('GET', MANAGEMENT, { query: { tenant: 'acme', product: 'shop' } });
    await succeeds('GET', `${MANAGEMENT}/product`, { query: { product: 'shop' } });
    await succeeds('GET', `${MANAGEMENT}/{id}`, { path });
    await succeeds('PATCH', `${MANAGEMENT}/{id}`, { path, body: { name: 'renamed' } });
    await succeeds('POST', `${MANAGEMENT}/{id}/rotate-secret`, { path, body: { overlap: '1h' } });
    await succeeds('GET', `${MANAGEMENT}/{id}/status`, { path });
    const tokens = `${MANAGEMENT}/{directoryId}/scim-tokens`;
    const owned = { path: { directoryId: id as string } };
    const { data: token } = await succeeds('POST', tokens, { ...owned, body: { name: 'Okta' } });
    const one = { path: { ...owned.path, id: token.id as string } };
    await succeeds('GET', tokens, owned);
    await succeeds('GET', `${tokens}/{id}`, one);
    await succeeds('PATCH', `${tokens}/{id}`, { ...one, body: { ttl: '90d' } });
    await succeeds('POST', `${tokens}/{id}/rotate-secret`, { ...one, body: { ttl: '90d' } });
    await succeeds('POST', `${MANAGEMENT}/{id}/retire-secret`, { path });
    await succeeds('DELETE', `${tokens}/{id}`, one);
    const guard = `${MANAGEMENT}/{directoryId}/guard`;
    await succeeds('PATCH', guard, { ...owned, body: { max_deletes: 100 } });
    await succeeds('GET', guard, owned);
    await changeRoles(calls, id as string);
    await manageSetupLinks(calls, api.http, id as string);
    await changeKeyLink(calls);
    await succeeds('DELETE', `${MANAGEMENT}/{id}`, { path });
  });

  it('of users, groups and events', async () => {
    const directory = await newDirectory({
      webhook_url: `${receiver.url}/hook`,
      attribute_mapping: { rank: 'title' },
    });
    const scim = { path: { directoryId: directory.id }, secret: directory.scim.secret };
    const ann = await succeeds('POST', `${SCIM}/Users`, {
      ...scim,
      body: user('ann', { title: 'Dr' }),
    });
    const devs = await succeeds('POST', `${SCIM}/Groups`, {
      ...scim,
      body: { displayName: 'devs', members: [{ value: ann.id }] },
    });
    await succeeds('PATCH', `${SCIM}/Users/{id}`, {
      ...scim,
      path: { ...scim.path, id: ann.id },
      body: { Operations: [{ op: 'add', path: 'active', value: false }] },
    });
    const query = { directoryId: directory.id as string };
    for (const [template, id] of [
      ['users', undefined],
      ['users/{id}', ann.id],
      ['groups', undefined],
      ['groups/{id}', devs.id],
      ['groups/{id}/members', devs.id],
      ['events', undefined],
    ]) {
      const body = await succeeds('GET', `${MANAGEMENT}/${template}`, { path: { id }, query });
      expect([template, [body.data].flat().length > 0]).toEqual([template, true]);
    }
    const worker = await stack.start('dsync-worker');
    await receiver.waitFor(4);
    await worker.stop();
    const requests = `${MANAGEMENT}/{directoryId}/requests`;
    await succeeds('POST', `${requests}/capture`, { path: query, body: { duration: '1h' } });
    await succeeds('DELETE', `${requests}/capture`, { path: query });
    const { data: logged } = await testing.eventually(async () => {
      const list = await succeeds('GET', requests, { path: query });
      expect(list.data.length).toBeGreaterThan(0);
      return list;
    });
    await succeeds('GET', `${requests}/{id}`, { path: { ...query, id: logged[0].id as string } });
    const { data: usage } = await succeeds('GET', `${MANAGEMENT}/scim-usage`, { query });
    expect(usage[0]).toMatchObject({ status: '2xx' });
    const { data: log } = await succeeds('GET', `${MANAGEMENT}/events`, { query });
    const path = { id: log[0].id as string };
    const { data: event } = await succeeds('GET', `${MANAGEMENT}/events/{id}`, { path });
    expect([event.state, event.attempts.length]).toEqual(['delivered', 1]);
    await succeeds('POST', `${MANAGEMENT}/events/{id}/resend`, { path });
    const { data: latest } = await succeeds('GET', `${MANAGEMENT}/events/latest`);
    expect(latest.id).toBe(log.at(-1).id);
    const range = { body: { after: log[0].id as string, types: ['user.updated'] } };
    await succeeds('POST', `${MANAGEMENT}/{directoryId}/events/replay`, { path: query, ...range });
    await succeeds('POST', `${MANAGEMENT}/events/replay`, range);
    const webhook = { path: { id: directory.id as string } };
    await succeeds('GET', `${MANAGEMENT}/{id}/webhook/logs`, webhook);
    await succeeds('POST', `${MANAGEMENT}/cron/process-events`);
    await succeeds('GET', `${MANAGEMENT}/audit-events`);
    for (const [text, hits] of [
      ['dev', 1],
      [ann.id, 1],
      ['nothing', 0],
    ]) {
      const { data: found } = await succeeds('GET', `${MANAGEMENT}/search`, {
        query: { query: text },
      });
      expect([text, found.hits.length]).toEqual([text, hits]);
    }
  });

  it('of webhook endpoints', async () => {
    const directory = await newDirectory();
    const endpoints = `${MANAGEMENT}/{directoryId}/webhook-endpoints`;
    const path: Record<string, string> = { directoryId: directory.id as string };
    const body = { url: `${receiver.url}/endpoint`, headers: { 'X-Team': 'accounts' } };
    const { data } = await succeeds('POST', endpoints, { path, body });
    path.id = data.id as string;
    await succeeds('GET', endpoints, { path });
    await succeeds('PATCH', `${endpoints}/{id}`, { path, body: { types: null } });
    for (const verb of ['rotate-secret', 'pause', 'resume', 'test']) {
      await succeeds('POST', `${endpoints}/{id}/${verb}`, { path });
    }
    await succeeds('GET', `${MANAGEMENT}/webhook-endpoints`, { query: { state: 'healthy' } });
    await succeeds('GET', MANAGEMENT, { query: { has_errors: 'true' } });
    const { data: silent } = await succeeds('GET', MANAGEMENT, { query: { quiet: 'true' } });
    expect(silent).toEqual([]);
    for (const part of ['', '/status', '/attempts', '/parked-events']) {
      await succeeds('GET', `${endpoints}/{id}${part}`, { path });
    }
    await succeeds('DELETE', `${endpoints}/{id}`, { path });
  });

  it('of workspace directories and their runs', async () => {
    const directory = await newDirectory({ type: 'workspace' });
    const path: Record<string, string> = { id: directory.id, directoryId: directory.id };
    const runs = `${MANAGEMENT}/{directoryId}/runs`;
    const settings = `${MANAGEMENT}/{directoryId}/workspace/settings`;
    await succeeds('GET', `${MANAGEMENT}/{id}/workspace/authorization-url`, { path });
    await succeeds('PATCH', settings, { path, body: { max_deletes: 10 } });
    await succeeds('GET', settings, { path });
    const { data: run } = await succeeds('POST', `${MANAGEMENT}/{directoryId}/sync`, { path });
    path.runId = run.id as string;
    // No worker is there that could hold it.
    const hold = () => stack.database.query(`UPDATE dsync.workspace_runs SET state = 'held'`);
    for (const decision of ['approve', 'discard']) {
      await hold();
      await succeeds('GET', `${runs}/{runId}`, { path });
      await succeeds('POST', `${runs}/{runId}/${decision}`, { path });
    }
    await succeeds('GET', runs, { path });
    await succeeds('GET', `${MANAGEMENT}/{id}/status`, { path });
    await succeeds('POST', `${MANAGEMENT}/cron/sync-workspace`);
    await succeeds('DELETE', `${MANAGEMENT}/{id}/workspace/connection`, { path });
  });

  it('of the event catalog, which needs no credential', async () => {
    const anonymous = { headers: { authorization: '' } };
    expect(await succeeds('GET', '/events/catalogue.json', anonymous)).toEqual(
      catalogSchema(DIRECTORY_EVENT_CATALOG),
    );
    expect(await succeeds('GET', '/events/asyncapi.json', anonymous)).toEqual(
      asyncApiDocument(DIRECTORY_EVENT_CATALOG, VERSION),
    );
  });

  it('of SCIM', async () => {
    const directory = await newDirectory();
    const scim = { path: { directoryId: directory.id as string }, secret: directory.scim.secret };
    const search = { filter: 'meta.created pr', count: 1 };
    for (const [endpoint, body, change] of [
      ['Users', user('ann', { emails: [{ value: 'ann@x.example' }] }), 'title'],
      ['Groups', { displayName: 'devs' }, 'externalId'],
    ] as const) {
      const made = await succeeds('POST', `${SCIM}/${endpoint}`, { ...scim, body });
      const one = { ...scim, path: { ...scim.path, id: made.id as string } };
      const template = `${SCIM}/${endpoint}/{id}`;
      const operations = { Operations: [{ op: 'add', path: change, value: 'x' }] };
      await succeeds('GET', `${SCIM}/${endpoint}`, { ...scim, query: { cursor: '', count: '1' } });
      await succeeds('POST', `${SCIM}/${endpoint}/.search`, { ...scim, body: search });
      await succeeds('GET', template, { ...one, query: { attributes: 'meta' } });
      await succeeds('GET', template, { ...one, headers: { 'if-none-match': 'W/"1"' } });
      await succeeds('PATCH', template, { ...one, body: operations });
      const minimal = { prefer: 'return=minimal' };
      await succeeds('PATCH', template, { ...one, body: operations, headers: minimal });
      await succeeds('PUT', template, { ...one, body });
      await succeeds('DELETE', template, one);
    }
    await succeeds('POST', `${SCIM}/Bulk`, {
      ...scim,
      body: {
        Operations: [
          { method: 'POST', path: '/Users', bulkId: 'u', data: user('bob') },
          { method: 'DELETE', path: '/Users/unknown' },
        ],
      },
    });
    await succeeds('GET', SCIM, scim);
    await succeeds('POST', `${SCIM}/.search`, { ...scim, body: search });
    await succeeds('GET', `${SCIM}/ServiceProviderConfig`, scim);
    for (const document of ['ResourceTypes', 'Schemas']) {
      const { Resources } = await succeeds('GET', `${SCIM}/${document}`, scim);
      const path = { ...scim.path, id: Resources[0].id as string };
      await succeeds('GET', `${SCIM}/${document}/{id}`, { ...scim, path });
    }
  });

  it('of errors', async () => {
    const directory = await newDirectory();
    const scim = { path: { directoryId: directory.id as string }, secret: directory.scim.secret };
    const unknown = { id: crypto.randomUUID(), directoryId: directory.id as string };
    const statuses: number[] = [];
    const requests: Parameters<DescribedCalls['call']>[] = [
      ['POST', MANAGEMENT, { body: {} }],
      ['POST', MANAGEMENT, { body: JSON.stringify({ name: 'x'.repeat(1024 * 1024) }) }],
      ['POST', MANAGEMENT, { body: 'x', headers: { 'content-type': 'text/plain' } }],
      ['GET', `${MANAGEMENT}/{id}`, { path: unknown }],
      ['GET', `${MANAGEMENT}/{id}`, { path: unknown, headers: { authorization: '' } }],
      ['GET', `${MANAGEMENT}/users`, {}],
      ['GET', `${MANAGEMENT}/search`, {}],
      ['GET', `${MANAGEMENT}/scim-usage`, { query: { from: 'x' } }],
      ['GET', `${MANAGEMENT}/scim-usage`, { query: { directoryId: unknown.id } }],
      ['GET', `${MANAGEMENT}/events`, { query: { directoryId: unknown.id } }],
      ['GET', `${SCIM}/Users`, { ...scim, secret: 'wrong' }],
      ['GET', `${SCIM}/Users`, { ...scim, query: { filter: 'a' } }],
      ['GET', `${SCIM}/Groups/{id}`, { ...scim, path: unknown }],
      ['POST', `${SCIM}/Users`, { ...scim, body: 'x', headers: { 'content-type': 'text/plain' } }],
    ];
    for (const request of requests) statuses.push((await calls.call(...request)).status);
    expect(statuses).toEqual([
      400, 413, 415, 404, 401, 400, 400, 400, 404, 404, 401, 400, 404, 415,
    ]);
  });

  it('and every operation was called', async () => {
    for (const path of ['/version', '/health/alive', '/health/ready']) await succeeds('GET', path);
    expect(calls.missing()).toEqual([]);
  });
});
