import { type AddressInfo } from 'node:net';
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';
import { DomainError } from '@gatehouse/kit/errors';
import { KitErrors } from '@gatehouse/kit/errors';
import { AdminAuth, type AdminOptions } from './admin-auth.js';
import { adminCallerOf, type AdminSurface, type Denial, guardAdminRoutes } from './admin-gate.js';

const KEY = 'k'.repeat(24);
const OPTIONS: AdminOptions = {
  staticKeys: [KEY],
  mode: 'closed',
  schemes: ['bearer'],
  scope: 'keys:admin',
};

const running: FastifyInstance[] = [];
/** A server with one route of the surface, one with its own options, and one outside of it. */
const start = async (
  surface: Partial<AdminSurface> = {},
  onDenied?: (request: FastifyRequest, denial: Denial) => void,
): Promise<string> => {
  const server = fastify({ bodyLimit: 100 });
  const verifier = {
    verify: (credential: string) =>
      Promise.resolve(
        credential === 'live'
          ? { keyId: 'key-1', actorId: 'a', scopes: ['keys:verify', 'keys:read'] }
          : null,
      ),
  };
  const auth = new AdminAuth(OPTIONS, verifier);
  guardAdminRoutes(server, auth, { paths: ['/admin/'], ...surface }, onDenied);
  server.setErrorHandler((error: DomainError & { statusCode?: number }, _request, reply) =>
    reply.status(error.httpStatus ?? error.statusCode ?? 500).send({ code: error.code }),
  );
  void server.register((scope, _options, done) => {
    scope.post('/admin/nested', (request) => ({ caller: adminCallerOf(request).kind }));
    done();
  });
  server.post('/admin/verify', { config: { admin: { scope: 'keys:verify' } } }, (request) => ({
    caller: adminCallerOf(request).kind,
  }));
  server.get('/admin/read', (request) => ({ caller: adminCallerOf(request).kind }));
  server.post('/open', () => ({ open: true }));
  await server.listen({ port: 0, host: '127.0.0.1' });
  running.push(server);
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

const ask = async (url: string, key?: string, body = '{}', type = 'application/json') => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': type, ...(key && { authorization: `Bearer ${key}` }) },
    body,
  });
  return [response.status, await response.json()];
};

describe('guardAdminRoutes', () => {
  it('guards all routes below its paths, in any scope, and no others', async () => {
    const url = await start();
    for (const path of ['/admin/nested', '/admin/verify']) {
      expect(await ask(url + path)).toEqual([401, { code: 'UNAUTHENTICATED' }]);
      expect(await ask(url + path, KEY)).toEqual([200, { caller: 'static-key' }]);
    }
    expect(await ask(`${url}/open`)).toEqual([200, { open: true }]);
    expect((await ask(`${url}/admin/unknown`))[0]).toBe(404);
  });

  it('checks the caller before it reads the body', async () => {
    const url = await start();
    for (const [body, type, status] of [
      ['{', 'application/json', 400],
      ['x'.repeat(200), 'application/json', 413],
      ['x', 'text/csv', 415],
    ] as const) {
      expect((await ask(`${url}/admin/nested`, undefined, body, type))[0]).toBe(401);
      expect((await ask(`${url}/admin/nested`, KEY, body, type))[0]).toBe(status);
    }
  });

  it('uses the options of a route', async () => {
    const url = await start();
    expect(await ask(`${url}/admin/verify`, 'live')).toEqual([200, { caller: 'issued-key' }]);
    expect((await ask(`${url}/admin/nested`, 'live'))[0]).toBe(403);
  });

  it('admits a reader to GET and HEAD only', async () => {
    const url = await start({ readScope: 'keys:read' });
    const headers = { authorization: 'Bearer live' };
    for (const method of ['GET', 'HEAD']) {
      expect((await fetch(`${url}/admin/read`, { method, headers })).status).toBe(200);
    }
    expect((await ask(`${url}/admin/nested`, 'live'))[0]).toBe(403);
  });

  it('reports each refusal, with a caller who lacks a scope', async () => {
    const denials: unknown[] = [];
    const url = await start({}, ({ routeOptions }, denial) => {
      denials.push({ route: routeOptions.url, ...denial });
    });
    for (const key of [undefined, 'wrong', 'live', KEY]) await ask(`${url}/admin/nested`, key);
    expect(denials).toEqual([
      { route: '/admin/nested', status: 401, caller: null },
      { route: '/admin/nested', status: 401, caller: null },
      { route: '/admin/nested', status: 403, caller: expect.objectContaining({ id: 'key-1' }) },
    ]);
  });

  it('answers a refused caller with the error of the service', async () => {
    const refusal = () => new DomainError(KitErrors.NOT_FOUND);
    const url = await start({ refusal });
    for (const key of [undefined, 'wrong', 'live']) {
      expect(await ask(`${url}/admin/nested`, key)).toEqual([404, { code: 'NOT_FOUND' }]);
    }
  });
});
