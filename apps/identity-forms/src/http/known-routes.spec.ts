import { type FastifyInstance } from 'fastify';
import { KnownRoutes } from './known-routes.js';

function known(...routes: { method: string | string[]; url: string }[]): KnownRoutes {
  const result = new KnownRoutes();
  const addHook = (_name: string, seen: (route: object) => void) => routes.forEach(seen);
  result.watch({ addHook } as unknown as FastifyInstance);
  return result;
}

describe('KnownRoutes', () => {
  const routes = known(
    { method: 'POST', url: '/flows/:id' },
    { method: ['GET', 'HEAD'], url: '/flows/:id' },
    { method: 'GET', url: '/openapi.json' },
    { method: 'GET', url: '/docs/*' },
  );
  const allowed = (url: string) => routes.refusalAt(url)?.headers.allow;

  it('names the methods of an address, whatever stands in it', () => {
    expect(allowed('/flows/abc')).toBe('GET, HEAD, POST');
    expect(allowed('/flows/abc?GET=1')).toBe('GET, HEAD, POST');
    expect(allowed('/openapi.json')).toBe('GET');
  });

  it.each(['/', '/flows', '/flows/', '/flows/a/b', '/openapiXjson', '/docs/x', '/x/flows/a'])(
    'knows nothing of %s',
    (url) => {
      expect(allowed(url)).toBeUndefined();
    },
  );
});
