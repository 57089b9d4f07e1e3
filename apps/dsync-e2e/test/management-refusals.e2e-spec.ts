// Requests that the management API refuses before it reads a directory.
import { type TestStack } from '@gatehouse/testing';
import { API_KEY, manage, openSyncStack, type Service } from './sync-stack.js';

let stack: TestStack;
let api: Service;

beforeAll(async () => {
  stack = await openSyncStack();
  api = await stack.start('dsync-api');
});

afterAll(() => stack.close());

it('401: comes before any check of the body', async () => {
  for (const path of ['/api/v1/dsync', '/api/v1/directory-sync', '/api/v1/dsync/x/rotate-secret']) {
    for (const [body, type] of [
      ['{', 'application/json'],
      ['x'.repeat(2 * 1024 * 1024), 'application/json'],
      ['<x/>', 'application/xml'],
    ] as const) {
      const headers = { 'content-type': type };
      const answer = await fetch(api.url + path, { method: 'POST', body, headers });
      expect([path, type, answer.status]).toEqual([path, type, 401]);
      expect(answer.headers.get('www-authenticate')).toBe('Api-Key');
    }
  }
});

it('401: without a key, with a wrong one, and with another scheme', async () => {
  for (const authorization of ['', 'Api-Key wrong', `Basic ${API_KEY}`, API_KEY]) {
    const answer = await manage(api, 'GET', '', undefined, { authorization });
    expect([answer.status, answer.body]).toEqual([
      401,
      {
        data: null,
        error: { message: expect.stringContaining('Api-Key <key>') as string, code: 401 },
      },
    ]);
  }
  for (const path of ['/', '/product/', '/users/', '/cron/process-events/']) {
    const method = path.startsWith('/cron') ? 'POST' : 'GET';
    const answer = await manage(api, method, path, undefined, { authorization: '' });
    expect([path, answer.status]).toEqual([path, 401]);
  }
  const bearer = { authorization: `Bearer ${API_KEY}` };
  expect((await manage(api, 'GET', '', undefined, bearer)).status).toBe(200);
});

it('404, 405, 413, 415: unknown paths, wrong methods, large bodies and other media types', async () => {
  expect((await manage(api, 'GET', '/nowhere/at/all')).status).toBe(404);
  for (const [method, path, allow] of [
    ['DELETE', '', 'GET, POST'],
    ['DELETE', '/', 'GET, POST'],
    ['POST', '/users', 'GET'],
    ['PUT', '/product', 'GET'],
    ['PUT', '/8e1522ff-ab24-457a-a35a-cff7391d7ac3', 'DELETE, GET, PATCH'],
    ['OPTIONS', '/cron/process-events', 'POST'],
  ] as const) {
    const wrong = await manage(api, method, path);
    expect([path, wrong.status, wrong.headers.get('allow')]).toEqual([path, 405, allow]);
  }
  const large = await manage(api, 'POST', '', JSON.stringify({ name: 'x'.repeat(1024 * 1024) }));
  expect(large.status).toBe(413);
  const text = await manage(api, 'POST', '', 'tenant=a', { 'content-type': 'text/plain' });
  expect(text).toMatchObject({ status: 415, body: { error: { code: 415 } } });
});
