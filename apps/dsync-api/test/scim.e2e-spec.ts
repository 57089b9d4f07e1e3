import { gzipSync } from 'node:zlib';
import * as testing from '@gatehouse/testing';
import { API_KEY, manage, newDirectory, openStand, send, type Stand, user } from './stand.js';

let stand: Stand;
let api: testing.ServiceProcess;

beforeAll(async () => {
  stand = await openStand();
  api = await stand.start('dsync-api');
});

afterAll(() => stand.close());

const SCIM_JSON = 'application/scim+json';

describe('SCIM over HTTP', () => {
  it('takes both JSON types with any charset, and answers in the type that is accepted', async () => {
    const directory = await newDirectory(api);
    const types = [
      [SCIM_JSON, '*/*', SCIM_JSON],
      [`${SCIM_JSON}; charset=utf-8`, SCIM_JSON, SCIM_JSON],
      ['application/json;charset=UTF-8', 'application/json', 'application/json'],
      ['Application/JSON', `application/json, ${SCIM_JSON}`, SCIM_JSON],
    ] as const;
    for (const [index, [contentType, accept, answered]] of types.entries()) {
      const headers = { 'content-type': contentType, accept };
      const answer = await directory.scim('POST', '/Users', user(`user-${index}`), headers);
      expect(answer.status).toBe(201);
      expect(answer.headers.get('content-type')).toBe(`${answered}; charset=utf-8`);
      expect(answer.headers.get('location')).toBe(answer.body.meta.location);
      expect(answer.headers.get('etag')).toBe(answer.body.meta.version);
    }
  });

  it('tolerates what providers do to addresses', async () => {
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
    const headers = { authorization: `Bearer ${directory.secret}` };
    for (const [lead, middle] of [
      ['/', ''],
      ['', '/'],
      ['/', '/'],
    ] as const) {
      const base = `${api.url}${lead}/api/scim/v2.0${middle}/${directory.id}`;
      const listed = await send(`${base}//Users/`, 'GET', undefined, headers);
      expect(listed).toMatchObject({ status: 200, body: { totalResults: 1 } });
      expect((await send(`${base}/Users`, 'GET')).status).toBe(401);
    }
    expect((await directory.scim('GET', '/ServiceProviderConfigs')).status).toBe(200);
    expect((await directory.scim('GET', '/Users/..%2f..%2fGroups')).status).toBe(404);
  });

  it('HEAD tells what GET does, without the body', async () => {
    const directory = await newDirectory(api);
    const { body } = await directory.scim('POST', '/Users', user('ann'));
    const answer = await directory.scim('HEAD', `/Users/${body.id}`);
    expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([
      200,
      undefined,
      'W/"1"',
    ]);
    expect((await directory.scim('HEAD', '/Users/nobody')).status).toBe(404);
  });

  it('takes a byte order mark, and refuses what is no UTF-8 or compressed', async () => {
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

  it('204: a DELETE may claim to have a JSON body and have none', async () => {
    const directory = await newDirectory(api);
    const { body } = await directory.scim('POST', '/Users', user('ann'));
    const headers = { 'content-type': SCIM_JSON };
    const answer = await directory.scim('DELETE', `/Users/${body.id}`, undefined, headers);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
  });

  it('204, 304, 412: follows Prefer, If-None-Match and If-Match', async () => {
    const directory = await newDirectory(api);
    const { body } = await directory.scim('POST', '/Users', user('ann'));
    const path = `/Users/${body.id}`;
    const change = { Operations: [{ op: 'replace', path: 'title', value: 'x' }] };
    const minimal = await directory.scim('PATCH', path, change, { prefer: 'return=minimal' });
    expect([minimal.status, minimal.headers.get('etag')]).toEqual([204, 'W/"2"']);
    const fresh = await directory.scim('GET', path, undefined, { 'if-none-match': 'W/"2"' });
    expect(fresh.status).toBe(304);
    expect((await directory.scim('PUT', path, user('ann'), { 'if-match': 'W/"1"' })).status).toBe(
      412,
    );
  });

  it('4xx: every refusal is a SCIM error, whatever refused it', async () => {
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
      [501, 'PROPFIND', '/Users'],
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

  it('401: the same answer for no token, a wrong one, one in the query, another scheme', async () => {
    const directory = await newDirectory(api);
    const base = `${api.url}/api/scim/v2.0/${directory.id}/Users`;
    const answers = await Promise.all([
      send(base, 'GET'),
      send(base, 'GET', undefined, { authorization: 'Bearer wrong' }),
      send(`${base}?access_token=${directory.secret}`, 'GET'),
      send(base, 'GET', undefined, { authorization: `Basic ${directory.secret}` }),
      send(base.replace(directory.id, crypto.randomUUID()), 'GET', undefined, {
        authorization: `Bearer ${directory.secret}`,
      }),
    ]);
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([401, answers[0]?.body]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    const lower = { authorization: `bearer ${directory.secret}` };
    expect((await send(base, 'GET', undefined, lower)).status).toBe(200);
  });

  it('what one replica changes, the other knows at once', async () => {
    const other = await stand.start('dsync-api');
    const directory = await newDirectory(api);
    const through = async (service: testing.ServiceProcess, secret: string) => {
      const url = `${service.url}/api/scim/v2.0/${directory.id}/Users`;
      return (await send(url, 'GET', undefined, { authorization: `Bearer ${secret}` })).status;
    };
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

it('no credential is ever logged', async () => {
  const service = await stand.start('dsync-api', { LOG_LEVEL: 'trace' });
  const directory = await newDirectory(service, {
    webhook_url: 'http://127.0.0.1:9/hook',
    webhook_secret: 'a-webhook-secret-never-logged',
  });
  await directory.scim('POST', '/Users', user('ann', { password: 'never-logged-either' }));
  await directory.scim('POST', '/Users', '{"password":"never-logged-either"');
  await directory.scim('GET', `/Users?access_token=${directory.secret}`);
  await manage(service, 'PATCH', `/${directory.id}`, { webhook_secret: 'wörd' });
  const logs = service.logs();
  expect(logs).toContain('"msg":"request"');
  for (const secret of [
    API_KEY,
    directory.secret,
    'a-webhook-secret-never-logged',
    'never-logged-either',
  ]) {
    expect(logs).not.toContain(secret);
  }
});
