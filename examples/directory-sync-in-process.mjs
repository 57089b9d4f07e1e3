// Embeds directory sync in a program: serves SCIM requests and prints each event. Run
// `npm run build` first, then:
//   DATABASE_URL=postgres://localhost/mine node examples/directory-sync-in-process.mjs
import { createServer } from 'node:http';
import { createDirectorySync, databaseDefinition } from '../dist/libs/directory-sync/src/index.js';
import { createDataSource, migrate } from '../dist/libs/nest-kit/src/database/index.js';

if (!process.env.DATABASE_URL) {
  console.error('Set DATABASE_URL to a PostgreSQL database, such as postgres://localhost/mine');
  process.exit(1);
}
const database = { databaseUrl: process.env.DATABASE_URL, ...databaseDefinition };
await migrate(createDataSource(database));
const dataSource = await createDataSource(database).initialize();

const server = createServer((request, response) => void answer(request, response));
await new Promise((resolve) => server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', resolve));
const externalUrl = `http://127.0.0.1:${server.address().port}`;

const sync = createDirectorySync({
  dataSource,
  externalUrl,
  encryptionKeys: ['change-me-change-me-change-me-change-me'],
});
const { data: directory, error } = await sync.directories.create({
  tenant: 'acme',
  product: 'crm',
});
if (error) throw new Error(error.message);
console.log(`SCIM address: ${directory.scim.endpoint}\nbearer token: ${directory.scim.secret}`);

/** /api/scim/v2.0/<directory id>/<Users or Groups>/<resource id> */
async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, externalUrl);
  const [, , , , directoryId, resource, resourceId] = pathname.split('/');
  const chunks = await request.toArray();
  const { status, data } = await sync.requests.handle(
    {
      method: request.method,
      body: chunks.length > 0 ? Buffer.concat(chunks).toString() : undefined,
      directoryId,
      resourceType: resource?.toLowerCase(),
      resourceId,
      apiSecret: request.headers.authorization?.replace(/^Bearer /i, '') ?? '',
      query: Object.fromEntries(searchParams),
    },
    (event) => console.log(event.sequence, event.event, event.data.email ?? event.data.name),
  );
  response.writeHead(status, { 'Content-Type': 'application/scim+json' });
  response.end(data === null ? undefined : JSON.stringify(data));
}

process.on('SIGTERM', async () => {
  server.close();
  await sync.close();
  await dataSource.destroy();
});
