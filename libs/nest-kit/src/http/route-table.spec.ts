import { type FastifyInstance } from 'fastify';
import { RouteTable, type RouteTableOptions } from './route-table.js';

const ROUTES = [
  { method: 'POST', url: '/flows/:id' },
  { method: ['GET', 'HEAD'], url: '/flows/:id' },
  { method: 'GET', url: '/openapi.json' },
  { method: 'GET', url: '/docs/*' },
  { method: 'PATCH', url: '/keys/:key_id' },
  { method: 'POST', url: '/keys/:key_id(^[^:/]+)::rotate' },
  { method: 'POST', url: '/keys::import' },
  { method: 'GET', url: '/keys/product' },
];

function allowOf(method: string, url: string, options?: RouteTableOptions): string | undefined {
  const table = new RouteTable(options);
  const addHook = (_name: string, seen: (route: object) => void) => ROUTES.forEach(seen);
  table.watch({ addHook } as unknown as FastifyInstance);
  return table.refusalOf(method, url)?.headers.allow;
}

describe('RouteTable', () => {
  it.each([
    ['PUT', '/flows/abc', 'GET, HEAD, POST'],
    ['PUT', '/flows/abc?GET=1', 'GET, HEAD, POST'],
    ['POST', '/openapi.json', 'GET'],
    ['GET', '/keys:import', 'POST'],
    ['DELETE', '/keys/abc', 'PATCH'],
  ])('%s %s: the address takes %s', (method, url, allow) => {
    expect(allowOf(method, url)).toBe(allow);
  });

  it('prefers the fixed segment, as the router does', () => {
    expect(allowOf('PUT', '/keys/product')).toBe('GET');
    expect(allowOf('GET', '/keys/abc:rotate')).toBe('POST');
  });

  it.each([
    ['GET', '/flows/%2f'],
    ['POST', '/keys/%2f:rotate'],
  ])('%s %s: the method is right, so the router has refused the address', (method, url) => {
    expect(allowOf(method, url)).toBeUndefined();
  });

  it('leaves out HEAD on request', () => {
    expect(allowOf('PUT', '/flows/abc', { omitHead: true })).toBe('GET, POST');
  });

  it.each([
    '/',
    '/flows',
    '/flows/',
    '/flows/a/b',
    '/openapiXjson',
    '/docs/x',
    '/x/flows/a',
    '/keys/x:y',
  ])('has no route for %s', (url) => {
    expect(allowOf('PUT', url)).toBeUndefined();
  });
});
