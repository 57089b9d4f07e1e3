// An application that mirrors directories and keeps a ledger of their events, for a test that kills it.
import { createServer } from 'node:http';
import pg from 'pg';
import { directory } from '../../../../dist/libs/client/src/directory/index.js';
import { fileStore } from '../../../../dist/libs/client/src/file-store/index.js';
import { postgresStore } from '../../../../dist/libs/client/src/postgres-store/index.js';

const { DATABASE_URL, POSITION_FILE, PORT, PRODUCT, SECRET } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL });

const follower = directory({
  store: POSITION_FILE ? fileStore(POSITION_FILE) : postgresStore(pool),
  product: PRODUCT,
  secrets: SECRET,
})
  .onSnapshot((sql = pool) => sql.query('DELETE FROM mirror'))
  .on('*', async ({ event, data, id, snapshot }, sql = pool) => {
    if (!snapshot) await sql.query('INSERT INTO ledger (id) VALUES ($1)', [id]);
    const key = data.group ? `${data.group.id} ${data.id}` : data.id;
    const value = data.name ?? (data.group ? '' : `${data.email} ${data.active}`);
    await sql.query('DELETE FROM mirror WHERE key = $1', [key]);
    if (/deleted|removed/.test(event)) return;
    await sql.query('INSERT INTO mirror (key, value) VALUES ($1, $2)', [key, value]);
  });

const server = createServer(async (request, response) => {
  const { status } = await follower.receive({ headers: request.headers, body: request });
  response.writeHead(status).end();
});
server.listen(Number(PORT), '127.0.0.1');

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await follower.start({ signal: stop.signal, onError: (error) => console.error(error.message) });
server.close();
server.closeAllConnections();
await pool.end();
