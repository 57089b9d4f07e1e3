/** The administration of the endpoints that receive the events of keys. */
import { describeWebhookEndpoints } from '@gatehouse/testing';
import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';
import { keyWebhooks } from './key-webhooks.js';

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(() => service.close());

describeWebhookEndpoints(() => keyWebhooks(service));

const PATH = '/v2alpha1/admin/webhook-endpoints';
const URL = 'http://127.0.0.1:9/hooks';

it('reads names in lowerCamelCase too', async () => {
  const json = { url: URL, logsAttempts: true, onPoison: 'block' };
  const { body } = await service.call('POST', PATH, json);
  expect(body).toMatchObject({ logs_attempts: true, on_poison: 'block' });
  const patched = await service.call('PATCH', `${PATH}/${body.id}`, { onPoison: 'park' });
  expect(patched.body).toMatchObject({ logs_attempts: true, on_poison: 'park' });
  await service.call('DELETE', `${PATH}/${body.id}`);
});

it('webhook endpoints need keys:admin, and keys:read to read', async () => {
  const { secret: reader } = await service.issue({ scopes: [] });
  const guarded = await service.start({ ADMIN_API_KEYS: 'webhook-admin-key-webhook-admin-key' });
  const headers = { authorization: 'Bearer webhook-admin-key-webhook-admin-key' };
  const issued = await guarded.http.send('POST', '/v2alpha1/admin/issuedApiKeys', {
    headers,
    json: { name: 'r', actor_id: 'r', scopes: ['keys:read', 'keys:issue'] },
  });
  const by = { authorization: `Bearer ${issued.body.secret}` };
  expect((await guarded.http.send('GET', PATH, { headers: by })).status).toBe(200);
  const events = '/v2alpha1/admin/events';
  expect((await guarded.http.send('GET', events, { headers: by })).status).toBe(200);
  expect((await guarded.http.send('POST', PATH, { headers: by, json: { url: URL } })).status).toBe(
    403,
  );
  const unknown = { authorization: `Bearer ${reader}` };
  expect((await guarded.http.send('GET', PATH, { headers: unknown })).status).toBe(403);
});

it('400 without WEBHOOK_ALLOW_PRIVATE: private addresses and other ports are refused, and no test reaches them', async () => {
  const { body: endpoint } = await service.call('POST', PATH, { url: URL });
  const strict = await service.start({ WEBHOOK_ALLOW_PRIVATE: 'false' });
  const post = (path: string, json: object) => strict.http.send('POST', path, { json });
  for (const url of ['http://127.0.0.1/x', 'http://localhost/', 'https://example.com:8443/']) {
    const answer = await post(PATH, { url });
    expect([url, answer.status, namedFields(answer)]).toEqual([url, 400, ['url']]);
  }
  const answer = await post(`${PATH}/${endpoint.id}/test`, {});
  expect(answer.body).toMatchObject({ delivered: false, status_code: null });
  expect(answer.body.error).not.toMatch(/ECONN/);
  await service.call('DELETE', `${PATH}/${endpoint.id}`);
});
