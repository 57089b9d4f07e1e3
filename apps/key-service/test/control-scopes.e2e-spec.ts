/** Control scopes: who can have them, who can grant them, and what each of them opens. */
import { createHash } from 'node:crypto';
import {
  ADMIN_KEY,
  bearer,
  type KeyServiceStack,
  namedFields,
  reasonOf,
  startKeyService,
} from './key-stack.js';

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService({ ADMIN_API_KEYS: ADMIN_KEY });
});
afterAll(() => service.close());

const by = (credential: string) => ({ headers: bearer(credential) });
const send = (credential: string, method: string, path: string, body?: object) =>
  service.admin(method, path, body, by(credential));
const fields = (scopes: string[], more: object = {}) => ({
  name: 'Test',
  actor_id: 'ops',
  scopes,
  ...more,
});
const issued = async (scopes: string[], more: object = {}) => {
  const answer = await send(ADMIN_KEY, 'POST', '/issuedApiKeys', fields(scopes, more));
  if (answer.status !== 201) throw new Error(answer.text);
  return { id: answer.body.issued_api_key.key_id as string, secret: answer.body.secret as string };
};

describe('which keys can have control scopes', () => {
  it.each(['keys:everything', 'dsync:write', 'forms:', 'console:admin'])(
    '400 for %s, a name below a reserved prefix that does not exist',
    async (scope) => {
      const answer = await send(ADMIN_KEY, 'POST', '/issuedApiKeys', fields(['a', scope]));
      expect([answer.status, namedFields(answer)]).toEqual([400, ['scopes[1]']]);
    },
  );

  it('400 for a public key, an imported key and a batch', async () => {
    const isPublic = { visibility: 'KEY_VISIBILITY_PUBLIC' };
    const imported = { ...fields(['keys:read']), raw_key: 'imported-with-control-scope' };
    const other = { ...fields([]), raw_key: 'short' };
    for (const [path, body, names] of [
      ['/issuedApiKeys', fields(['keys:read'], isPublic), ['scopes[0]']],
      ['/importedApiKeys', imported, ['scopes[0]']],
      [
        '/importedApiKeys:batchCreate',
        { requests: [other, imported] },
        ['requests[0].raw_key', 'requests[1].scopes[0]'],
      ],
    ] as const) {
      const answer = await send(ADMIN_KEY, 'POST', path, body);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(namedFields(answer)).toEqual(names);
    }
  });

  it('400 for PATCH and rotation that would give them to such a key', async () => {
    const visible = await issued([], { visibility: 'KEY_VISIBILITY_PUBLIC' });
    const scopes = ['keys:admin'];
    for (const [method, path, body] of [
      ['PATCH', `/issuedApiKeys/${visible.id}?update_mask=scopes`, { scopes }],
      ['POST', `/issuedApiKeys/${visible.id}:rotate`, { scopes }],
    ] as const) {
      expect([path, (await send(ADMIN_KEY, method, path, body)).status]).toEqual([path, 400]);
    }
    const admin = await issued(scopes);
    const rotation = { visibility: 'KEY_VISIBILITY_PUBLIC' };
    const path = `/issuedApiKeys/${admin.id}:rotate`;
    expect((await send(ADMIN_KEY, 'POST', path, rotation)).status).toBe(400);
    expect((await send(admin.secret, 'GET', '/issuedApiKeys')).status).toBe(200);
  });

  it('a derived token never has one', async () => {
    const { secret: credential } = await issued(['keys:admin', 'orders:read']);
    const derived = await send(ADMIN_KEY, 'POST', '/apiKeys:derive', { credential });
    expect(derived.body.token.scopes).toEqual(['orders:read']);
    const asked = { credential, scopes: ['keys:admin'] };
    const answer = await send(ADMIN_KEY, 'POST', '/apiKeys:derive', asked);
    expect([answer.status, namedFields(answer)]).toEqual([400, ['scopes[0]']]);
  });
});

describe('who can grant control scopes', () => {
  it.each([
    ['keys:admin', 'keys:admin', 201],
    ['keys:admin', 'keys:verify', 201],
    ['keys:admin', 'dsync:admin', 403],
    ['keys:admin', 'forms:read', 403],
    ['keys:issue', 'keys:issue', 201],
    ['keys:issue', 'keys:admin', 403],
    ['keys:issue', 'keys:revoke', 403],
    ['keys:issue', 'orders:read', 201],
  ])('an issued key with %s grants %s: %i', async (held, granted, status) => {
    const { secret } = await issued([held]);
    const answer = await send(secret, 'POST', '/issuedApiKeys', fields([granted]));
    expect(answer.status).toBe(status);
    if (status === 403) expect(reasonOf(answer)).toBe('CONTROL_SCOPE_NOT_GRANTED');
  });

  it('an issued admin of two services can grant the scopes of both', async () => {
    const { secret } = await issued(['keys:issue', 'dsync:admin']);
    const granted = fields(['dsync:read', 'keys:issue']);
    expect((await send(secret, 'POST', '/issuedApiKeys', granted)).status).toBe(201);
  });

  it('a lesser administrator can neither change nor take over a key with more scopes', async () => {
    const { secret: lesser } = await issued(['keys:issue']);
    const admin = await issued(['keys:admin'], {
      ip_restriction: { allowed_cidrs: ['127.0.0.0/8'] },
    });
    const path = `/issuedApiKeys/${admin.id}`;
    for (const [method, to, body] of [
      ['POST', `${path}:rotate`, {}],
      ['POST', `${path}:rotate`, { scopes: [] }],
      ['PATCH', `${path}?update_mask=ip_restriction`, {}],
      ['PATCH', `${path}?update_mask=scopes`, { scopes: ['orders:read'] }],
    ] as const) {
      const answer = await send(lesser, method, to, body);
      expect([to, answer.status, reasonOf(answer)]).toEqual([to, 403, 'CONTROL_SCOPE_NOT_GRANTED']);
    }
    const { body } = await send(ADMIN_KEY, 'GET', path);
    expect(body).toMatchObject({ status: 'KEY_STATUS_ACTIVE', scopes: ['keys:admin'] });
    expect(body.ip_restriction.allowed_cidrs).toEqual(['127.0.0.0/8']);
  });

  it('an issued key cannot lift its own limits, nor take over one of its peers', async () => {
    const own = await issued(['keys:issue'], {
      ip_restriction: { allowed_cidrs: ['127.0.0.0/8', '::1/128'] },
    });
    const peer = await issued(['keys:issue']);
    for (const [method, path, body] of [
      ['PATCH', `/issuedApiKeys/${own.id}?update_mask=ip_restriction`, {}],
      ['PATCH', `/issuedApiKeys/${peer.id}`, {}],
      ['POST', `/issuedApiKeys/${peer.id}:rotate`, {}],
    ] as const) {
      expect([path, (await send(own.secret, method, path, body)).status]).toEqual([path, 403]);
    }
    expect((await send(peer.secret, 'POST', '/issuedApiKeys', fields([]))).status).toBe(201);
  });

  it('a repeated request_id does not show a key with control scopes', async () => {
    const { secret: lesser } = await issued(['keys:issue']);
    await issued(['keys:admin'], { request_id: 'admin-request' });
    const request = fields([], { request_id: 'admin-request' });
    expect((await send(lesser, 'POST', '/issuedApiKeys', request)).status).toBe(403);
  });

  it('nothing is granted when a batch or a repeated request is refused', async () => {
    const { secret: lesser } = await issued(['keys:issue']);
    const request = fields(['keys:admin'], { request_id: 'refused-grant' });
    expect((await send(lesser, 'POST', '/issuedApiKeys', request)).status).toBe(403);
    const again = await send(ADMIN_KEY, 'POST', '/issuedApiKeys', request);
    expect([again.status, again.body.secret !== '']).toEqual([201, true]);
  });
});

describe('what control scopes open', () => {
  const ROUTES: [string, string, string, object?][] = [
    ['keys:read', 'GET', '/issuedApiKeys'],
    ['keys:read', 'GET', '/importedApiKeys'],
    ['keys:read', 'GET', '/auditEvents'],
    ['keys:read', 'GET', '/issuedApiKeys/none'],
    ['keys:read', 'GET', '/apiKeys/none/refusals'],
    ['keys:read', 'GET', '/actors/none'],
    ['keys:read', 'GET', '/search?query=none'],
    ['keys:read', 'GET', '/events'],
    ['keys:read', 'GET', '/webhook-endpoints'],
    ['keys:admin', 'POST', '/webhook-endpoints', {}],
    ['keys:admin', 'POST', '/webhook-endpoints/none/rotate-secret', {}],
    ['keys:issue', 'POST', '/issuedApiKeys', {}],
    ['keys:issue', 'POST', '/importedApiKeys', {}],
    ['keys:issue', 'POST', '/importedApiKeys:batchCreate', {}],
    ['keys:issue', 'PATCH', '/issuedApiKeys/none', {}],
    ['keys:issue', 'PATCH', '/importedApiKeys/none', {}],
    ['keys:issue', 'POST', '/issuedApiKeys/none:rotate', {}],
    ['keys:read', 'GET', '/trustRules'],
    ['keys:issue', 'POST', '/trustRules', {}],
    ['keys:issue', 'PATCH', '/trustRules/none', {}],
    ['keys:revoke', 'POST', '/trustRules/none:revoke', {}],
    ['keys:revoke', 'POST', '/apiKeys/none:revoke', {}],
    ['keys:revoke', 'POST', '/issuedApiKeys/none:revoke', {}],
    ['keys:revoke', 'POST', '/importedApiKeys/none:revoke', {}],
    ['keys:revoke', 'DELETE', '/importedApiKeys/none'],
    ['keys:revoke', 'POST', '/apiKeys/none:pause', {}],
    ['keys:revoke', 'POST', '/apiKeys/none:erase', {}],
    ['keys:issue', 'POST', '/apiKeys/none:resume', {}],
    ['keys:issue', 'POST', '/apiKeys/none:undelete', {}],
    ['keys:issue', 'POST', '/importedHashes:keep', {}],
    ['keys:revoke', 'POST', '/importedHashes:drop', {}],
    ['keys:report', 'POST', '/apiKeys:reportLeaks', {}],
    ['keys:report', 'GET', '/apiKeys:leakPattern'],
    ['keys:verify', 'POST', '/apiKeys:verify', {}],
    ['keys:verify', 'POST', '/apiKeys:batchVerify', {}],
    ['keys:derive', 'POST', '/apiKeys:derive', {}],
  ];

  const SCOPES = ['keys:read', 'keys:issue', 'keys:revoke', 'keys:verify', 'keys:derive'];
  it.each([...SCOPES, 'keys:report'])('%s opens its routes and no others', async (scope) => {
    const { secret } = await issued([scope]);
    for (const [needed, method, path, body] of ROUTES) {
      const { status } = await send(secret, method, path, body);
      expect([method, path, status === 403]).toEqual([method, path, needed !== scope]);
    }
  });

  it('keys:admin opens all of them', async () => {
    const { secret } = await issued(['keys:admin']);
    for (const [, method, path, body] of ROUTES) {
      const { status } = await send(secret, method, path, body);
      expect([method, path, [401, 403].includes(status)]).toEqual([method, path, false]);
    }
  });

  it('the refusal names the scope that is missing', async () => {
    const { secret } = await issued(['keys:read']);
    const answer = await send(secret, 'POST', '/issuedApiKeys', fields([]));
    expect(answer.body.error.message).toContain('keys:issue');
  });
});

it('keys:revoke may not postpone the end of imported hashes, which would keep their keys', async () => {
  const algorithms = ['HASH_ALGORITHM_SHA256'];
  const hash = {
    algorithm: algorithms[0],
    value: createHash('sha256').update('old').digest('hex'),
  };
  const imported = { name: 'Old', actor_id: 'user_1', scopes: [], hash };
  expect((await send(ADMIN_KEY, 'POST', '/importedApiKeys', imported)).status).toBe(201);
  const { secret } = await issued(['keys:revoke']);
  const drop = (drop_time: string) =>
    send(secret, 'POST', '/importedHashes:drop', { drop_time, algorithms });
  expect((await drop('2999-01-02T00:00:00Z')).status).toBe(200);
  expect((await drop('2999-01-03T00:00:00Z')).status).toBe(403);
  const { status, body } = await drop('2999-01-01T00:00:00Z');
  const planned = body.algorithms.find((each: Record<string, unknown>) => each.drop_time);
  expect([status, planned.drop_time]).toEqual([200, '2999-01-01T00:00:00.000Z']);
});
