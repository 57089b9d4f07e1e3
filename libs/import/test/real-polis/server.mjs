// @ts-check
// `node server.mjs FOLDER`: runs the Ory Polis that is installed in FOLDER, for tests of the import. The npm
// package is the library that the product is made of; its routes, which are not in it, are answered here.
// Settings: DB_URL, DB_ENCRYPTION_KEY, API_KEY. Prints the port.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder = '.'] = process.argv.slice(2);
const { DB_URL = '', DB_ENCRYPTION_KEY, API_KEY = '' } = process.env;
const require = createRequire(join(folder, 'package.json'));

const quiet = () => undefined;
const { directorySyncController: dsync } = await require('@boxyhq/saml-jackson').default({
  externalUrl: 'http://127.0.0.1',
  samlPath: '/api/oauth/saml',
  samlAudience: 'https://polis.example.com',
  scimPath: '/api/scim/v2.0',
  noAnalytics: true,
  db: { engine: 'sql', type: 'postgres', url: DB_URL, encryptionKey: DB_ENCRYPTION_KEY },
  dsync: { callback: async () => undefined },
  logger: { info: quiet, warn: quiet, error: console.error },
});

/** The tenant and product of a directory. @param {URLSearchParams} query */
async function scopeOf(query) {
  const { data } = await dsync.directories.get(query.get('directoryId'));
  return data ?? { tenant: query.get('tenant') ?? '', product: query.get('product') ?? '' };
}

/** @param {URLSearchParams} query */
function pageOf(query) {
  const number = (/** @type {string} */ name) => parseInt(query.get(name) ?? '', 10);
  return {
    pageOffset: number('pageOffset'),
    pageLimit: number('pageLimit'),
    directoryId: query.get('directoryId') ?? undefined,
  };
}

/** @param {string} method @param {string[]} path @param {URLSearchParams} query @param {any} body */
async function manage(method, path, query, body) {
  const [first = '', id, more] = path;
  if (method === 'POST' && first === '') return dsync.directories.create(body);
  if (method === 'PATCH') return dsync.directories.update(first, body);
  const product = query.get('product');
  if (first === 'product') return dsync.directories.filterBy({ ...pageOf(query), product });
  if (first === 'users' || first === 'groups') {
    const { tenant, product } = await scopeOf(query);
    const records = dsync[first].setTenantAndProduct(tenant, product);
    if (more === 'members') return records.getGroupMembers({ groupId: id, ...pageOf(query) });
    return id ? records.get(id) : records.getAll(pageOf(query));
  }
  return dsync.directories.get(first);
}

/** @param {string} method @param {string[]} path @param {URLSearchParams} query @param {any} body @param {string} secret */
async function provision(
  method,
  [directoryId, resourceType = '', resourceId],
  query,
  body,
  secret,
) {
  const number = (/** @type {string} */ name) => parseInt(query.get(name) ?? '', 10) || undefined;
  const { status, data } = await dsync.requests.handle({
    method,
    body,
    directoryId,
    resourceId,
    resourceType,
    apiSecret: secret,
    query: {
      count: number('count'),
      startIndex: number('startIndex'),
      filter: query.get('filter') ?? undefined,
    },
  });
  return { status, data };
}

/** @param {import('node:http').IncomingMessage} request */
async function answer(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const body = text === '' ? undefined : JSON.parse(text);
  const url = new URL(request.url ?? '', 'http://polis');
  const path = url.pathname.split('/').filter((part) => part !== '');
  const { method = 'GET', headers } = request;
  const [kind, credential] = (headers.authorization ?? '').split(' ', 2);
  if (path[1] === 'scim') {
    return provision(method, path.slice(3), url.searchParams, body, credential ?? '');
  }
  if (kind !== 'Api-Key' || credential !== API_KEY) {
    return { status: 401, data: { error: { message: 'Unauthorized' } } };
  }
  const { data, error, pageToken } = await manage(method, path.slice(3), url.searchParams, body);
  if (error) return { status: error.code, data: { error } };
  return { status: method === 'POST' ? 201 : 200, data: { data, pageToken } };
}

const server = createServer((request, response) => {
  answer(request)
    .catch((error) => ({ status: 500, data: { error: { message: String(error) } } }))
    .then(({ status, data }) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(data === undefined ? '' : JSON.stringify(data));
    });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stdout.write(`${port}\n`);
});
