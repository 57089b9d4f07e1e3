/** The administration of the endpoints that receive the events of keys. */
import { namedFields, reasonOf } from './key-stack.js';
import { HEADERS, useWebhooks } from './webhook-fixture.js';

const fixture = useWebhooks();

describe('an endpoint', () => {
  it('201: is created with defaults and a secret that is shown once', async () => {
    const { answer, endpoint, secret, path } = await fixture.create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('location')).toBe(`/v2alpha1/admin${path}`);
    expect(endpoint).toMatchObject({
      url: fixture.receiver.url,
      types: [],
      header_names: [],
      logs_attempts: false,
      on_poison: 'POISON_POLICY_PARK',
      state: 'WEBHOOK_ENDPOINT_STATE_HEALTHY',
      reason: '',
      failures: 0,
      failing_since: null,
      last_success_time: null,
      next_attempt_time: null,
    });
    const { body } = await fixture.service.admin('GET', path);
    expect(body).toEqual(endpoint);
    const { body: list } = await fixture.service.admin('GET', '/webhookEndpoints');
    expect(list.webhook_endpoints).toEqual([endpoint]);
  });

  it('keeps its secret and its headers sealed, and shows only the names of the headers', async () => {
    const secret = 'a secret of my own choice';
    const { endpoint, path } = await fixture.create({ secret, headers: HEADERS });
    expect(endpoint.header_names).toEqual(['authorization', 'x-team']);
    const [row] = await fixture.service.database.query('SELECT * FROM keys.endpoints');
    for (const text of [JSON.stringify(row), (await fixture.service.admin('GET', path)).text]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain('the-token-of-the-receiver');
    }
  });

  it('200: PATCH sets what has a value; with a mask, it resets what the body leaves out', async () => {
    const { path } = await fixture.create({
      types: ['key.issued'],
      headers: HEADERS,
      logs_attempts: true,
    });
    const patched = await fixture.service.admin('PATCH', path, {
      on_poison: 'POISON_POLICY_BLOCK',
    });
    expect(patched.body).toMatchObject({
      types: ['key.issued'],
      header_names: ['authorization', 'x-team'],
      logs_attempts: true,
      on_poison: 'POISON_POLICY_BLOCK',
    });
    const mask = '?updateMask=types,headers,logsAttempts,on_poison';
    const reset = await fixture.service.admin('PATCH', path + mask, {});
    expect(reset.body).toMatchObject({
      types: [],
      header_names: [],
      logs_attempts: false,
      on_poison: 'POISON_POLICY_PARK',
      url: fixture.receiver.url,
    });
    const again = await fixture.service.admin('PATCH', path, reset.body);
    expect([again.status, again.body.url]).toEqual([200, fixture.receiver.url]);
  });

  it.each([
    [{ url: '' }, 'url'],
    [{ url: 'ftp://example.com' }, 'url'],
    [{ url: 'https://user:pass@example.com' }, 'url'],
    [{ types: ['key.issued', 'key.stolen'] }, 'types[1]'],
    [{ types: 'key.issued' }, 'types'],
    [{ secret: 'short' }, 'secret'],
    [{ secret: 'whsec_not*base64*at*all' }, 'secret'],
    [{ on_poison: 'PARK' }, 'on_poison'],
    [{ logs_attempts: 'yes' }, 'logs_attempts'],
    [{ header: {} }, 'header'],
    [{ headers: { 'Webhook-Id': 'x' } }, 'headers.Webhook-Id'],
    [{ headers: { 'Content-Length': '1' } }, 'headers.Content-Length'],
    [{ headers: { 'Transfer-Encoding': 'chunked' } }, 'headers.Transfer-Encoding'],
    [{ headers: { 'Proxy-Authorization': 'x' } }, 'headers.Proxy-Authorization'],
    [{ headers: { 'a b': 'x' } }, 'headers.a b'],
    [{ headers: { a: 'x\r\nb: y' } }, 'headers.a'],
    [{ headers: { a: '' } }, 'headers.a'],
    [{ headers: { a: 1 } }, 'headers.a'],
    [{ headers: { a: 'x', A: 'y' } }, 'headers.A'],
    [{ headers: Object.fromEntries([...'abcdefghijklmnopq'].map((a) => [a, 'x'])) }, 'headers'],
  ])('400: %j', async (fields, field) => {
    const body = { url: 'https://example.com', ...fields };
    const answer = await fixture.service.admin('POST', '/webhookEndpoints', body);
    expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
  });

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', ':rotateSecret'],
    ['POST', ':pause'],
    ['POST', ':resume'],
    ['POST', ':test'],
  ])('404: %s of an unknown one%s', async (method, verb) => {
    for (const id of ['01900000-0000-7000-8000-000000000000', 'none']) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const answer = await fixture.service.admin(method, `/webhookEndpoints/${id}${verb}`, body);
      expect([answer.status, reasonOf(answer)]).toEqual([404, 'WEBHOOK_ENDPOINT_NOT_FOUND']);
    }
  });

  it('409: there may be ten, however many are asked for at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 14 }, () =>
        fixture.service.admin('POST', '/webhookEndpoints', { url: fixture.receiver.url }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(10).fill(201), ...Array<number>(4).fill(409)]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused && reasonOf(refused)).toBe('WEBHOOK_ENDPOINT_LIMIT_REACHED');
  });

  it('is changed by one administrator after the other, so that no change is lost', async () => {
    const { path } = await fixture.create();
    const masks = { types: ['key.issued'], logs_attempts: true, on_poison: 'POISON_POLICY_BLOCK' };
    await Promise.all(
      Object.entries(masks).map(([name, value]) =>
        fixture.service.admin('PATCH', path, { [name]: value }),
      ),
    );
    expect((await fixture.service.admin('GET', path)).body).toMatchObject(masks);
  });

  it('needs keys:admin, and keys:read to read', async () => {
    const { secret: reader } = await fixture.service.issue({ scopes: [] });
    const guarded = await fixture.service.start({
      ADMIN_API_KEYS: 'webhook-admin-key-webhook-admin-key',
    });
    const headers = { authorization: 'Bearer webhook-admin-key-webhook-admin-key' };
    const issued = await guarded.http.send('POST', '/v2alpha1/admin/issuedApiKeys', {
      headers,
      json: { name: 'r', actor_id: 'r', scopes: ['keys:read', 'keys:issue'] },
    });
    const by = { authorization: `Bearer ${issued.body.secret}` };
    const path = '/v2alpha1/admin/webhookEndpoints';
    expect((await guarded.http.send('GET', path, { headers: by })).status).toBe(200);
    const events = '/v2alpha1/admin/keyEvents';
    expect((await guarded.http.send('GET', events, { headers: by })).status).toBe(200);
    const json = { url: fixture.receiver.url };
    expect((await guarded.http.send('POST', path, { headers: by, json })).status).toBe(403);
    const unknown = { authorization: `Bearer ${reader}` };
    expect((await guarded.http.send('GET', path, { headers: unknown })).status).toBe(403);
  });

  it('is audited with every change, without its URL and its secrets', async () => {
    const { endpoint, path } = await fixture.create({ headers: HEADERS });
    await fixture.service.admin('PATCH', path, { logs_attempts: true });
    await fixture.service.admin('POST', `${path}:rotateSecret`, { grace_period: '1h' });
    await fixture.service.admin('POST', `${path}:pause`);
    await fixture.service.admin('POST', `${path}:resume`);
    await fixture.service.admin('POST', `${path}:test`);
    await fixture.service.admin('DELETE', path);
    const { body } = await fixture.service.admin('GET', '/auditEvents?page_size=7');
    const details = { endpoint_id: endpoint.endpoint_id };
    expect(body.audit_events).toMatchObject([
      { type: 'webhook_endpoint.deleted', details, key_id: '', caller: 'loopback' },
      { type: 'webhook_endpoint.tested', details },
      { type: 'webhook_endpoint.resumed', details },
      { type: 'webhook_endpoint.paused', details },
      { type: 'webhook_endpoint.secret_rotated', details: { ...details, grace_period: '3600s' } },
      { type: 'webhook_endpoint.updated', details: { ...details, fields: ['logsAttempts'] } },
      { type: 'webhook_endpoint.created', details },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/whsec|127\.0\.0\.1:|the-token/);
  });
});

describe('a test', () => {
  it('sends a signed webhook.ping and answers what happened', async () => {
    const { secret, path, endpoint } = await fixture.create();
    const answer = await fixture.service.admin('POST', `${path}:test`);
    expect(answer.body).toMatchObject({ is_delivered: true, status_code: 200, error: '' });
    expect(fixture.bodies()).toMatchObject([
      { event: 'webhook.ping', data: { endpoint_id: endpoint.endpoint_id } },
    ]);
    expect(fixture.isSignedBy(secret)).toBe(true);
    fixture.receiver.respond(() => ({ status: 500, body: 'secret of the receiver' }));
    const failed = await fixture.service.admin('POST', `${path}:test`);
    expect(failed.body).toMatchObject({
      is_delivered: false,
      status_code: 500,
      error: 'the endpoint answered 500',
    });
    expect(failed.text).not.toContain('secret of the receiver');
  });
});

describe('without WEBHOOK_ALLOW_PRIVATE', () => {
  it('400: private addresses and other ports are refused, and no test reaches them', async () => {
    const { path } = await fixture.create();
    const strict = await fixture.service.start({ WEBHOOK_ALLOW_PRIVATE: 'false' });
    const post = (to: string, json: object) =>
      strict.http.send('POST', `/v2alpha1/admin${to}`, { json });
    for (const url of ['http://127.0.0.1/x', 'http://localhost/', 'https://example.com:8443/']) {
      const answer = await post('/webhookEndpoints', { url });
      expect([url, answer.status, namedFields(answer)]).toEqual([url, 400, ['url']]);
    }
    const answer = await post(`${path}:test`, {});
    expect(answer.body).toMatchObject({ is_delivered: false, status_code: null });
    expect(fixture.receiver.received).toEqual([]);
  });
});
