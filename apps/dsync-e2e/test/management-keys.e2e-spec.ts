import * as testing from '@gatehouse/testing';
import { manage, newDirectory, openSyncStack, type Service } from './sync-stack.js';

let stack: testing.TestStack;
let api: Service;

beforeAll(async () => {
  stack = await openSyncStack();
  api = await stack.start('dsync-api');
});

afterAll(() => stack.close());

describe('a live key of the key service', () => {
  let keys: Service;
  const ADMIN_KEY = 'an-admin-key-of-the-key-service-01';

  beforeAll(async () => {
    await testing.runMigrations('key-service', stack.database.url);
    keys = await stack.start('key-service', {
      ADMIN_API_KEYS: ADMIN_KEY,
      HMAC_SECRETS: 'hmac-secret-of-the-tests-0123456789abc',
    });
  });

  const issue = async (scopes: string[], more: object = {}): Promise<string> => {
    const answer = await keys.http.send('POST', '/v2alpha1/admin/issuedApiKeys', {
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
      json: {
        name: 'operator',
        actor_id: 'operator',
        scopes,
        visibility: 'KEY_VISIBILITY_SECRET',
        ...more,
      },
    });
    expect(answer.status).toBeLessThan(300);
    return answer.body.secret as string;
  };

  it('200 with the scope dsync:admin, 403 without it', async () => {
    const [admin, other] = [await issue(['dsync:admin']), await issue(['keys:admin'])];
    await testing.eventually(async () => {
      const answer = await manage(api, 'GET', '', undefined, { authorization: `Api-Key ${admin}` });
      expect(answer.status).toBe(200);
    });
    const answer = await manage(api, 'GET', '', undefined, { authorization: `Api-Key ${other}` });
    expect([answer.status, answer.body]).toEqual([
      403,
      { data: null, error: { message: 'The credential lacks the scope dsync:read.', code: 403 } },
    ]);
  });

  it('200 without secrets with the scope dsync:read, which cannot change anything', async () => {
    const { id, secret } = await newDirectory(api);
    const authorization = `Api-Key ${await issue(['dsync:read'])}`;
    await testing.eventually(async () => {
      const { status, body } = await manage(api, 'GET', `/${id}`, undefined, { authorization });
      expect([status, body.data?.scim.secret, secret.length]).toEqual([200, '', 43]);
    });
    const asked = await manage(api, 'GET', `/${id}?secrets=true`, undefined, { authorization });
    expect(asked.body.data.scim.secret).toBe('');
    const change = { name: 'renamed' };
    const answer = await manage(api, 'PATCH', `/${id}`, change, { authorization });
    expect([answer.status, answer.body.error.code]).toEqual([403, 403]);
  });

  it('403 with the scope dsync:read for a consent, which would replace the users of a directory', async () => {
    const { id } = await newDirectory(api, { type: 'google', workspace_domain: 'example.com' });
    const authorization = `Api-Key ${await issue(['dsync:read'])}`;
    const path = `/${id}/workspace/authorization-url`;
    await testing.eventually(async () => {
      const { status } = await manage(api, 'GET', `/${id}`, undefined, { authorization });
      expect(status).toBe(200);
    });
    const { status, body } = await manage(api, 'GET', path, undefined, { authorization });
    expect([status, body.error.message]).toEqual([
      403,
      'The credential lacks the scope dsync:admin.',
    ]);
    const head = await manage(api, 'HEAD', path, undefined, { authorization });
    expect(head.status).toBe(403);
  });

  it('401 as soon as it is revoked', async () => {
    const secret = await issue(['dsync:admin']);
    const ask = () => manage(api, 'GET', '', undefined, { authorization: `Bearer ${secret}` });
    await testing.eventually(async () => expect((await ask()).status).toBe(200));
    const revoked = await keys.http.send('POST', '/v2alpha1/apiKeys:selfRevoke', {
      json: { credential: secret },
    });
    expect(revoked.status).toBeLessThan(300);
    expect((await ask()).status).toBe(401);
  });

  it('429 over its rate limit, which does not mean that the key is invalid', async () => {
    const rate_limit_policy = { quota: 1, window: '1h' };
    const secret = await issue(['dsync:admin'], { rate_limit_policy });
    const headers = { authorization: `Api-Key ${secret}` };
    await testing.eventually(async () => {
      const { status, body, headers: answered } = await manage(api, 'GET', '', undefined, headers);
      expect([status, body.error?.code, answered.get('retry-after')]).toEqual([429, 429, '1']);
    });
  });
});
