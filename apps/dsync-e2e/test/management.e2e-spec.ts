import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as testing from '@gatehouse/testing';
import { API_KEY, manage, newDirectory, openSyncStack, type Service, user } from './sync-stack.js';

let stack: testing.TestStack;
let api: Service;

beforeAll(async () => {
  stack = await openSyncStack();
  api = await stack.start('dsync-api');
});

afterAll(() => stack.close());

describe('management API', () => {
  it('200, 201: creates, reads, lists, changes, rotates and deletes a directory', async () => {
    const made = await manage(api, 'POST', '', { tenant: 'acme', product: 'crm' });
    expect([made.status, made.body.error]).toEqual([201, null]);
    const { id, scim } = made.body.data;
    expect((await manage(api, 'GET', `/${id}`)).body.data).toEqual(made.body.data);
    for (const path of ['?tenant=acme&product=crm', '/product?product=crm', '?pageLimit=5']) {
      expect(
        (await manage(api, 'GET', path)).body.data.map((each: { id: string }) => each.id),
      ).toEqual([id]);
    }
    const renamed = await manage(api, 'PATCH', `/${id}`, { name: 'renamed' });
    expect(renamed.body.data.name).toBe('renamed');
    const rotated = await manage(api, 'POST', `/${id}/rotate-secret`, { overlap: '1h' });
    expect(rotated.body.data.scim.secret).not.toBe(scim.secret);
    const status = await manage(api, 'GET', `/${id}/status`);
    expect(status.body.data).toEqual({
      health: { state: 'healthy', has_errors: false, errors: [] },
      last_sync: null,
      last_request_at: null,
      requests: {
        requests: 0,
        errors: 0,
        error_rate: 0,
        unauthorized: 0,
        last_unauthorized_at: null,
        secret_last_used_at: null,
        provider: null,
        user_agent: null,
        usual_gap_seconds: null,
        quiet_since: null,
        capture_until: null,
      },
      pending: 0,
      oldest_pending_age_seconds: null,
      dead: 0,
      ignored_members: 0,
      key_link: null,
      workspace: null,
      webhook: {
        state: 'none',
        reason: null,
        failing_since: null,
        last_success_at: null,
        next_attempt_at: null,
      },
    });
    expect(await manage(api, 'DELETE', `/${id}`)).toMatchObject({
      status: 200,
      body: { data: null, error: null },
    });
    expect((await manage(api, 'GET', `/${id}`)).status).toBe(404);
  });

  it('200: reads users, groups, members and events of a directory', async () => {
    const directory = await newDirectory(api);
    const ann = await directory.scim('POST', '/Users', user('ann'));
    const devs = await directory.scim('POST', '/Groups', {
      displayName: 'devs',
      members: [{ value: ann.body.id }],
    });
    const scope = `directoryId=${directory.id}`;
    const read = async (path: string) => (await manage(api, 'GET', path)).body.data;
    expect(await read(`/users?${scope}`)).toMatchObject([{ id: ann.body.id, active: true }]);
    expect(await read(`/users/${ann.body.id}?${scope}`)).toMatchObject({
      raw: { userName: 'ann' },
    });
    expect(await read(`/groups?${scope}`)).toMatchObject([{ id: devs.body.id, name: 'devs' }]);
    expect(await read(`/groups/${devs.body.id}?${scope}`)).toMatchObject({
      members: [{ group_id: devs.body.id, user_id: ann.body.id }],
    });
    expect(await read(`/groups/${devs.body.id}/members?${scope}`)).toEqual([
      { user_id: ann.body.id, name: 'ann' },
    ]);
    const { members, ...head } = await read(`/groups/${devs.body.id}?${scope}&members=false`);
    expect([members, head.name, head.members_total]).toEqual([undefined, 'devs', 1]);
    const events = await read(`/events?${scope}`);
    expect(events.map(({ event }: { event: string }) => event)).toEqual([
      'user.created',
      'group.created',
      'group.user_added',
    ]);
    expect(await read(`/events?${scope}&after=${events[0].id}&limit=1`)).toEqual([events[1]]);
    expect(await read(`/events/${events[2].id}`)).toEqual(events[2]);
  });

  it('200: a list has a Link to its next page', async () => {
    const product = `linked-${Date.now()}`;
    const tenant = 'linked';
    const directory = await newDirectory(api, { tenant, product });
    await newDirectory(api, { tenant, product });
    const members: object[] = [];
    for (const name of ['ann', 'bob']) {
      const { body } = await directory.scim('POST', '/Users', user(name));
      members.push({ value: body.id });
      await directory.scim('POST', '/Groups', { displayName: name, members });
    }
    const [{ id }] = (await manage(api, 'GET', `/groups?directoryId=${directory.id}`)).body.data;
    for (const path of [
      `/users?directoryId=${directory.id}&pageLimit=1`,
      `/groups?pageLimit=1&directoryId=${directory.id}`,
      `/groups/${id}/members/?pageLimit=1&directoryId=${directory.id}`,
      `/product?pageLimit=1&product=${product}`,
      `?tenant=${tenant}&pageLimit=1&product=${product}`,
    ]) {
      const first = await manage(api, 'GET', path);
      const [, query] = /^<(\?[^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
      const second = await manage(api, 'GET', path.split('?', 1)[0] + (query ?? ''));
      expect([path, first.body.data.length, second.body.data.length]).toEqual([path, 1, 1]);
      expect(second.body.data).not.toEqual(first.body.data);
      expect([path, second.headers.get('link')]).toEqual([path, null]);
    }
  });

  it('200: a tenant and product are listed whole unless a page is asked for', async () => {
    const product = `whole-${randomUUID()}`;
    const tenant = 'whole';
    const { id } = await newDirectory(api, { tenant, product });
    const newest = await newDirectory(api, { tenant, product });
    const idsOf = async (page: string) => {
      const { body } = await manage(api, 'GET', `?tenant=${tenant}&product=${product}${page}`);
      return body.data.map((each: { id: string }) => each.id);
    };
    expect(await idsOf('')).toEqual([newest.id, id]);
    expect(await idsOf('&pageOffset=1')).toEqual([id]);
    for (const alone of [
      `product=${product}`,
      `tenant=${tenant}&has_errors=false`,
      `tenant=${tenant}`,
    ]) {
      const { body } = await manage(api, 'GET', `?${alone}&pageLimit=1`);
      expect(body.data).toMatchObject([{ id: newest.id }]);
    }
    const empty = await manage(api, 'GET', `?tenant=&product=${product}&pageLimit=1`);
    expect(empty).toMatchObject({
      status: 400,
      body: { error: { message: 'tenant: is required' } },
    });
    expect(await manage(api, 'GET', '?tenant=a&product=b&pageLimit=x')).toMatchObject({
      status: 400,
    });
  });

  it.each([
    '?tenant=a&product=a:b',
    '/product?product=a:b',
    '/events?tenant=a:b',
    '/events?product=a:b',
  ])('400: %s has a colon', async (path) => {
    const { status, body } = await manage(api, 'GET', path);
    expect([status, body.error?.message]).toEqual([
      400,
      expect.stringMatching(/^(tenant|product) cannot contain the character :$/),
    ]);
  });

  it('200: accepts a trailing slash on every path', async () => {
    const { id } = await newDirectory(api, { tenant: 'slash' });
    const listed = await manage(api, 'GET', '/?tenant=slash&product=product');
    expect(listed.body.data.map((each: { id: string }) => each.id)).toEqual([id]);
    expect((await manage(api, 'GET', `/${id}/`)).status).toBe(200);
    expect((await manage(api, 'POST', '/', { tenant: 'slash', product: 'b' })).status).toBe(201);
    expect((await manage(api, 'DELETE', `/${id}/`)).status).toBe(200);
  });

  it('404: a doubled slash matches no route, with a key or without', async () => {
    const callers: Record<string, string>[] = [{}, { authorization: `Api-Key ${API_KEY}` }];
    for (const path of ['//api/v1/dsync', '/api/v1//dsync', '//api//v1/dsync/']) {
      for (const headers of callers) {
        expect((await api.http.send('GET', path, { headers })).status).toBe(404);
      }
    }
  });

  it('200: serves its second path too', async () => {
    const path = '/api/v1/directory-sync/cron/process-events';
    const headers = { authorization: `api-key ${API_KEY}` };
    const answer = await api.http.send('POST', path, { headers });
    expect(answer).toMatchObject({ status: 200, body: { error: null } });
    expect(answer.body.data).toEqual({ directories: 0, events: 0 });
  });

  it('400: names the invalid field, or the place that is no JSON', async () => {
    for (const [body, message] of [
      [{ tenant: 'a' }, 'product: is required'],
      [{ tenant: 'a:b', product: 'c' }, 'tenant cannot contain the character :'],
      ['{"tenant":', 'The body is not valid JSON: line 1, column 11.'],
      ['{"__proto__":{"tenant":"x"}}', '__proto__: is a reserved name'],
      ['[]', 'body: must be a JSON object'],
      ['"1h"', 'body: must be a JSON object'],
      [{ tenant: 'a', product: 'b', attribute_mapping: { rank: 'a[[' } }, 'attribute_mapping.rank'],
    ] as const) {
      const answer = await manage(api, 'POST', '', body);
      expect(answer).toMatchObject({
        status: 400,
        body: {
          data: null,
          error: { code: 400, message: expect.stringContaining(message) as string },
        },
      });
    }
    for (const path of ['/users', '/groups']) {
      const answer = await manage(api, 'GET', path);
      expect(answer).toMatchObject({ status: 400 });
      expect(answer.body.error.message).toContain('directoryId');
    }
    const wait = await manage(api, 'POST', '/cron/process-events?wait=61');
    expect(wait.body.error.message).toBe('wait: must be a whole number from 0 to 60');
  });

  it('400: names unknown members and query parameters, and the nearest known one', async () => {
    const { id } = await newDirectory(api);
    for (const [method, path, content, message] of [
      ['POST', '', { tennant: 'a' }, 'tennant: is not a known field; did you mean "tenant"?'],
      ['PATCH', `/${id}`, { webhook_uri: '' }, 'webhook_uri: is not a known field; did you mean'],
      ['POST', `/${id}/rotate-secret`, { overlab: '1h' }, 'did you mean "overlap"?'],
      ['POST', `/${id}/retire-secret`, { overlap: '1h' }, 'overlap: is not a known field'],
      ['DELETE', `/${id}`, { ids: [] }, 'ids: is not a known field'],
      ['GET', '?tenent=a&product=b', undefined, 'did you mean "tenant"?'],
      ['GET', '/users?directoryid=x', undefined, 'did you mean "directoryId"?'],
      ['GET', `/${id}?secret=false`, undefined, 'did you mean "secrets"?'],
      ['GET', `/${id}/status?verbose=1`, undefined, 'verbose: is not a known parameter'],
      ['GET', `/${id}?secrets=no`, undefined, 'secrets: must be true or false'],
    ] as const) {
      const answer = await manage(api, method, path, content);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(answer.body.error.message).toContain(message);
    }
  });

  it('200: secrets are empty on request, and no response may be stored', async () => {
    const product = `hidden-${Date.now()}`;
    const secrets = { webhook_url: 'http://127.0.0.1:9/', webhook_secret: 'a secret with blanks' };
    const { id } = await newDirectory(api, { product, tenant: 'hidden', ...secrets });
    for (const path of [
      `/${id}`,
      `/product?product=${product}`,
      `?tenant=hidden&product=${product}`,
    ]) {
      const separator = path.includes('?') ? '&' : '?';
      const shown = await manage(api, 'GET', path);
      const hidden = await manage(api, 'GET', `${path}${separator}secrets=false`);
      const [full, bare] = [shown, hidden].map(({ body }) => [body.data].flat()[0]);
      expect(full.webhook.secret).toBe('a secret with blanks');
      expect(full.scim.secret).toHaveLength(43);
      expect(bare).toEqual({
        ...full,
        webhook: { ...full.webhook, secret: '' },
        scim: { ...full.scim, secret: '' },
      });
      for (const answer of [shown, hidden]) {
        expect(answer.headers.get('cache-control')).toBe('no-store');
      }
    }
  });

  it('200: the status shows when the provider last sent a request', async () => {
    const directory = await newDirectory(api);
    await directory.scim('GET', '/Users');
    await testing.eventually(async () => {
      const { body } = await manage(api, 'GET', `/${directory.id}/status`);
      const ageMs = Date.now() - Date.parse(body.data.last_request_at as string);
      expect(ageMs).toBeLessThan(60_000);
    });
  });

  it('400: a body that is not an object rotates no secret', async () => {
    const directory = await newDirectory(api);
    const answer = await manage(api, 'POST', `/${directory.id}/rotate-secret`, '"1h"');
    expect(answer).toMatchObject({ status: 400 });
    expect((await directory.scim('GET', '/Users')).status).toBe(200);
  });

  it('400: tenant, product and type cannot be changed', async () => {
    const { id } = await newDirectory(api);
    const { body } = await manage(api, 'GET', `/${id}`);
    const { tenant, product, type } = body.data;
    for (const change of [{ tenant: 'other' }, { product: 'other' }, { type: 'okta-scim-v2' }]) {
      const answer = await manage(api, 'PATCH', `/${id}`, change);
      expect([answer.status, answer.body.error?.message]).toEqual([
        400,
        `${Object.keys(change)[0]}: cannot be changed`,
      ]);
    }
    const same = await manage(api, 'PATCH', `/${id}`, { tenant, product, type, name: 'n' });
    expect([same.status, same.body.data.name]).toEqual([200, 'n']);
  });

  it('serves the committed OpenAPI document', async () => {
    const path = new URL('../../dsync-api/src/dsync-api.openapi.json', import.meta.url);
    const { body } = await api.http.send('GET', '/openapi.json');
    expect(body).toEqual(JSON.parse(readFileSync(path, 'utf8')));
  });
});
