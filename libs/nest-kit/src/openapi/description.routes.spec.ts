import { fastify } from 'fastify';
import { type ApiDescription, serveDescription } from './description.routes.js';

const FILE = new URL('../../../../apps/key-service/src/key-service.openapi.json', import.meta.url);
type Served = ApiDescription & {
  servers: { url: string }[];
  paths: Record<string, { servers?: { url: string }[] }>;
};

const app = fastify();
serveDescription(app, { file: FILE });
afterAll(() => app.close());

async function served(headers: Record<string, string> = {}): Promise<Served> {
  const { body } = await app.inject({ url: '/openapi.json', headers });
  return JSON.parse(body) as Served;
}

const serversOf = ({ paths }: Served) =>
  Object.entries(paths).filter(([, { servers }]) => servers !== undefined);

it('has one server at the address of the service', async () => {
  const description = await served();
  expect(description.servers).toEqual([{ url: '/' }]);
  expect(serversOf(description)).toEqual([]);
});

it('says where a gateway serves the paths that every service has', async () => {
  const description = await served({ 'x-forwarded-prefix': '/key-service' });
  expect(description.servers).toEqual([{ url: '/' }]);
  const servers = [{ url: '/key-service' }];
  expect(serversOf(description).map(([path, item]) => [path, item.servers])).toEqual(
    [
      '/version',
      '/health/alive',
      '/health/ready',
      '/events/catalogue.json',
      '/events/asyncapi.json',
    ].map((path) => [path, servers]),
  );
});

it.each(['//evil.example', 'https://evil.example', '/a/../b', '/<script>', ''])(
  'ignores the prefix "%s"',
  async (prefix) => {
    expect(serversOf(await served({ 'x-forwarded-prefix': prefix }))).toEqual([]);
  },
);
