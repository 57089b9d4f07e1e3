// Embeds directory sync in a program: answers SCIM requests and prints each event. In a folder of yours:
//   npm install @gatehouse/directory-sync
//   DATABASE_URL=postgres://localhost/mine node directory-sync-in-process.mjs
import { createServer } from 'node:http';
import { createDirectorySync } from '@gatehouse/directory-sync';

const { DATABASE_URL = 'postgres://localhost/mine', PORT = '3000' } = process.env;
const sync = await createDirectorySync({
  databaseUrl: DATABASE_URL,
  encryptionKeys: ['change-me-change-me-change-me-change-me'],
  externalUrl: `http://127.0.0.1:${PORT}`,
  onEvent: ({ sequence, event, data }) => console.log(sequence, event, data.email ?? data.name),
});
const server = createServer(sync.nodeHandler).listen(Number(PORT), '127.0.0.1');

const { data: directory, error } = await sync.directories.create({
  tenant: 'acme',
  product: 'crm',
});
if (error) throw new Error(error.message);
console.log(`SCIM address: ${directory.scim.endpoint}\nbearer token: ${directory.scim.secret}`);

process.on('SIGTERM', () => {
  server.close(() => void sync.close());
  server.closeIdleConnections();
});
