import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import * as testing from '@gatehouse/testing';
import { manage, newDirectory, openSyncStack, sendScim, type Service, user } from './sync-stack.js';

let stack: testing.TestStack;
let api: Service;

beforeAll(async () => {
  stack = await openSyncStack();
  api = await stack.start('dsync-api');
});

afterAll(() => stack.close());

const SCIM_JSON = 'application/scim+json';
const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** The status of the response to a POST whose body never arrives. */
function statusOfUnfinished(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const post = request(url, { method: 'POST', headers }, ({ statusCode = 0 }) => {
      resolve(statusCode);
      post.destroy();
    });
    post.on('error', reject);
    post.write('{"userName":');
  });
}

describe('SCIM over HTTP', () => {
  it('accepts both JSON types with any charset, and responds in the accepted type', async () => {
    const { path, secret } = await newDirectory(api);
    // The OpenAPI document describes SCIM responses as application/scim+json only.
    const unchecked = new testing.HttpClient(api.url);
    const types = [
      [SCIM_JSON, '*/*', SCIM_JSON],
      [`${SCIM_JSON}; charset=utf-8`, SCIM_JSON, SCIM_JSON],
      ['application/json;charset=UTF-8', 'application/json', 'application/json'],
      ['Application/JSON', `application/json, ${SCIM_JSON}`, SCIM_JSON],
    ] as const;
    for (const [index, [contentType, accept, answered]] of types.entries()) {
      const headers = { 'content-type': contentType, accept };
      const name = user(`user-${index}`);
      const answer = await sendScim(unchecked, secret, 'POST', `${path}/Users`, name, headers);
      expect(answer.status).toBe(201);
      expect(answer.headers.get('content-type')).toBe(`${answered}; charset=utf-8`);
      const { location } = answer.body.meta;
      expect(answer.headers.get('location')).toBe(location);
      expect(answer.headers.get('content-location')).toBe(location);
      expect(answer.headers.get('etag')).toBe(answer.body.meta.version);
    }
  });

  it('refuses numbers that would lose digits, and names the attribute', async () => {
    const { path, secret } = await newDirectory(api);
    const headers = { authorization: `Bearer ${secret}`, 'content-type': SCIM_JSON };
    for (const number of ['9007199254740993', '1e400', '0.1234567890123456789']) {
      const body = `{"schemas":["${USER_SCHEMA}"],"userName":"ann","badge":{"n":[${number}]}}`;
      const answer = await fetch(`${api.url}${path}/Users`, { method: 'POST', headers, body });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        scimType: 'invalidValue',
        detail: expect.stringContaining('badge.n') as string,
      });
    }
  });

  it('tolerates extra slashes, other case and unknown parameters, as providers send them', async () => {
    const directory = await newDirectory(api);
    await directory.scim('POST', '/Users/', user('ann'));
    for (const path of [
      '/Users/?count=1',
      '//Users?aadOptscim062020&count=1',
      '/users?foo=bar',
      '/Users?filter=userName%20eq%20ann',
    ]) {
      expect(await directory.scim('GET', path)).toMatchObject({
        status: 200,
        body: { totalResults: 1 },
      });
    }
    for (const [lead, middle] of [
      ['/', ''],
      ['', '/'],
      ['/', '/'],
    ] as const) {
      const base = `${lead}/api/scim/v2.0${middle}/${directory.id}`;
      const listed = await sendScim(api.http, directory.secret, 'GET', `${base}//Users/`);
      expect(listed).toMatchObject({ status: 200, body: { totalResults: 1 } });
      expect((await api.http.send('GET', `${base}/Users`)).status).toBe(401);
    }
    expect((await directory.scim('GET', '/ServiceProviderConfigs')).status).toBe(200);
    expect((await directory.scim('GET', '/Users/..%2f..%2fGroups')).status).toBe(404);
  });

  it('HEAD returns the status and headers of GET without the body', async () => {
    const directory = await newDirectory(api);
    const { body } = await directory.scim('POST', '/Users', user('ann'));
    const answer = await directory.scim('HEAD', `/Users/${body.id}`);
    expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([
      200,
      undefined,
      'W/"1"',
    ]);
    expect((await directory.scim('HEAD', '/Users/unknown')).status).toBe(404);
  });

  it('accepts a byte order mark, and refuses compressed bodies and other encodings than UTF-8', async () => {
    const directory = await newDirectory(api);
    const post = async (body: Uint8Array, headers: Record<string, string> = {}) => {
      const response = await fetch(`${api.url}/api/scim/v2.0/${directory.id}/Users`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${directory.secret}`,
          'content-type': SCIM_JSON,
          ...headers,
        },
        body,
      });
      return [response.status, ((await response.json()) as { scimType?: string }).scimType];
    };
    expect(await post(Buffer.from('\ufeff{"userName":"ann"}'))).toEqual([201, undefined]);
    expect(await post(Buffer.from('{"userName":"zo\xeb"}', 'latin1'))).toEqual([
      400,
      'invalidSyntax',
    ]);
    const packed = gzipSync('{"userName":"bob"}');
    expect(await post(packed, { 'content-encoding': 'gzip' })).toEqual([415, undefined]);
    expect((await directory.scim('GET', '/Users')).body.totalResults).toBe(1);
  });

  it('204: DELETE accepts a JSON content type without a body', async () => {
    const directory = await newDirectory(api);
    const { body } = await directory.scim('POST', '/Users', user('ann'));
    const headers = { 'content-type': SCIM_JSON };
    const answer = await directory.scim('DELETE', `/Users/${body.id}`, undefined, headers);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
  });

  it('204, 304, 412: honors Prefer, If-None-Match and If-Match', async () => {
    const directory = await newDirectory(api);
    const { body } = await directory.scim('POST', '/Users', user('ann'));
    const path = `/Users/${body.id}`;
    const change = { Operations: [{ op: 'replace', path: 'title', value: 'x' }] };
    const minimal = await directory.scim('PATCH', path, change, { prefer: 'return=minimal' });
    expect([minimal.status, minimal.headers.get('etag')]).toEqual([204, 'W/"2"']);
    const fresh = await directory.scim('GET', path, undefined, { 'if-none-match': 'W/"2"' });
    expect(fresh.status).toBe(304);
    for (const tag of ['W/"1"', '']) {
      const answer = await directory.scim('PUT', path, user('ann'), { 'if-match': tag });
      expect([tag, answer.status]).toEqual([tag, 412]);
    }
    for (const [method, content] of [['GET'], ['PUT', user('ann')], ['PATCH', change]] as const) {
      const { headers, body: read } = await directory.scim(method, path, content);
      const locations = [headers.get('location'), headers.get('content-location')];
      expect(locations).toEqual([read.meta.location, read.meta.location]);
    }
  });

  it('4xx: every error has a SCIM body, also those of the HTTP layer', async () => {
    const directory = await newDirectory(api);
    const big = JSON.stringify(user('big', { note: 'x'.repeat(2 * 1024 * 1024) }));
    const fits = JSON.stringify(user('fits', { note: 'x'.repeat(1_900_000) }));
    const cases = [
      [400, 'POST', '/Users', '{"userName":'],
      [400, 'POST', '/Users', '[]'],
      [400, 'GET', '/Users?filter=userName'],
      [404, 'GET', '/Gadgets'],
      [404, 'GET', '/Users/none'],
      [400, 'GET', '/Users/%zz'],
      [404, 'GET', '/../../v2.0'],
      [405, 'DELETE', '/Users'],
      [405, 'OPTIONS', '/Users'],
      [405, 'PROPFIND', '/Users'],
      [405, 'POST', '/Schemas', '{}'],
      [413, 'POST', '/Users', big],
      [501, 'GET', '/Me'],
    ] as const;
    for (const [status, method, path, content] of cases) {
      const answer = await directory.scim(method, path, content);
      expect([path, answer.status, answer.body.status]).toEqual([path, status, String(status)]);
      expect(answer.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
      expect(answer.headers.get('content-type')).toContain(SCIM_JSON);
    }
    const text = await directory.scim('POST', '/Users', 'x', { 'content-type': 'text/plain' });
    expect([text.status, text.body.status]).toEqual([415, '415']);
    expect((await directory.scim('POST', '/Users', fits)).status).toBe(201);
    const methods = await directory.scim('PUT', '/Users', '{}');
    expect(methods.headers.get('allow')).toBe('GET, POST');
  });

  it('401: the same response for a missing or wrong token, one in the query and another scheme', async () => {
    const directory = await newDirectory(api);
    const path = `${directory.path}/Users`;
    const get = (url: string, authorization?: string) =>
      api.http.send('GET', url, { headers: authorization === undefined ? {} : { authorization } });
    const answers = await Promise.all([
      get(path),
      get(path, 'Bearer wrong'),
      get(`${path}?access_token=${directory.secret}`),
      get(path, `Basic ${directory.secret}`),
      get(path.replace(directory.id, crypto.randomUUID()), `Bearer ${directory.secret}`),
    ]);
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([401, answers[0]?.body]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    expect((await get(path, `bearer ${directory.secret}`)).status).toBe(200);
  });

  it('401: comes before the body is read, and before any check of it', async () => {
    const directory = await newDirectory(api);
    const startOfPost = (secret: string, id = directory.id) =>
      statusOfUnfinished(`${api.url}/api/scim/v2.0/${id}/Users`, {
        authorization: `Bearer ${secret}`,
        'content-type': SCIM_JSON,
        'content-length': '1900000',
      });
    expect(await startOfPost('wrong')).toBe(401);
    expect(await startOfPost(directory.secret, crypto.randomUUID())).toBe(401);
    for (const [body, type] of [
      ['x'.repeat(3 * 1024 * 1024), SCIM_JSON],
      ['<x/>', 'application/xml'],
      ['{', SCIM_JSON],
    ] as const) {
      const answer = await sendScim(api.http, 'wrong', 'POST', `${directory.path}/Users`, body, {
        'content-type': type,
      });
      expect([type, answer.status]).toEqual([type, 401]);
      expect(answer.body.detail).toBe('A valid bearer token of this directory is required.');
    }
    await manage(api, 'PATCH', `/${directory.id}`, { deactivated: true });
    expect(await startOfPost(directory.secret)).toBe(403);
  });

  it('a change through one replica applies to the other immediately', async () => {
    const other = await stack.start('dsync-api');
    const directory = await newDirectory(api);
    const through = async ({ http }: Service, secret: string) =>
      (await sendScim(http, secret, 'GET', `${directory.path}/Users`)).status;
    expect(await through(other, directory.secret)).toBe(200);
    const { body } = await manage(api, 'POST', `/${directory.id}/rotate-secret`);
    const { secret } = body.data.scim;
    expect([await through(other, directory.secret), await through(other, secret)]).toEqual([
      401, 200,
    ]);
    await manage(api, 'PATCH', `/${directory.id}`, { deactivated: true });
    expect(await through(other, secret)).toBe(403);
    await manage(api, 'DELETE', `/${directory.id}`);
    expect(await through(other, secret)).toBe(401);
  });
});

it('a process that stops gives back the quota that it reserved', async () => {
  const service = await stack.start('dsync-api');
  const directory = await newDirectory(service);
  expect((await directory.scim('POST', '/Users', user('ann'))).status).toBe(201);
  expect(await service.stop()).toBe(0);
  const [reserved] = await stack.database.query(
    `SELECT reserved_users::integer AS users, reserved_groups::integer AS groups,
        reserved_bytes - (SELECT raw_bytes FROM dsync.users u WHERE u.directory_id = d.id) AS bytes
      FROM dsync.directories d WHERE id = $1`,
    [directory.id],
  );
  expect(reserved).toEqual({ users: 1, groups: 0, bytes: '0' });
});

it('no credential is ever logged', async () => {
  const service = await stack.start('dsync-api', { LOG_LEVEL: 'trace' });
  const directory = await newDirectory(service, {
    webhook_url: 'http://127.0.0.1:9/hook',
    webhook_secret: 'a-webhook-secret-never-logged',
  });
  await directory.scim('POST', '/Users', user('ann', { password: 'never-logged-either' }));
  await directory.scim('POST', '/Users', '{"password":"never-logged-either"');
  await directory.scim('GET', `/Users?access_token=${directory.secret}`);
  await manage(service, 'PATCH', `/${directory.id}`, { webhook_secret: 'wörd-wörd-wörd-wörd' });
  const logs = service.logs();
  expect(logs).toContain('"msg":"request"');
  // Closing the stack searches the logs for every other secret of these tests.
  expect(logs).not.toContain('never-logged-either');
});
