// Mirrors the users, groups and memberships of directories in tables of your own.
import Fastify from 'fastify';
import pg from 'pg';
import { directory } from '@gatehouse/client/directory';
import { postgresStore } from '@gatehouse/client/postgres-store';

const { DATABASE_URL, PRODUCT = 'shop', WEBHOOK_SECRET, PORT = '3000' } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL });
pool.on('error', console.error);
await pool.query(`
  CREATE TABLE IF NOT EXISTS people (id uuid PRIMARY KEY, tenant text, email text, active boolean);
  CREATE TABLE IF NOT EXISTS teams (id uuid PRIMARY KEY, tenant text, name text);
  CREATE TABLE IF NOT EXISTS members (team uuid, person uuid, PRIMARY KEY (team, person))`);

const mirror = directory({ store: postgresStore(pool), product: PRODUCT, secrets: WEBHOOK_SECRET })
  .onSnapshot((sql) => sql.query('DELETE FROM people; DELETE FROM teams; DELETE FROM members'))
  .on('user.created', savePerson)
  .on('user.updated', savePerson)
  .on('user.deleted', ({ data }, sql) => sql.query('DELETE FROM people WHERE id = $1', [data.id]))
  .on('group.created', saveTeam)
  .on('group.updated', saveTeam)
  .on('group.deleted', ({ data }, sql) => sql.query('DELETE FROM teams WHERE id = $1', [data.id]))
  .on('group.user_added', ({ data: { id, group } }, sql) =>
    sql.query('INSERT INTO members VALUES ($1, $2) ON CONFLICT DO NOTHING', [group.id, id]),
  )
  .on('group.user_removed', ({ data: { id, group } }, sql) =>
    sql.query('DELETE FROM members WHERE team = $1 AND person = $2', [group.id, id]),
  );

function savePerson({ tenant, data: { id, email, active } }, sql) {
  const save = `INSERT INTO people VALUES ($1, $2, $3, $4)
    ON CONFLICT (id) DO UPDATE SET email = excluded.email, active = excluded.active`;
  return sql.query(save, [id, tenant, email, active]);
}

function saveTeam({ tenant, data: { id, name } }, sql) {
  const save = `INSERT INTO teams VALUES ($1, $2, $3)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name`;
  return sql.query(save, [id, tenant, name]);
}

const app = Fastify();
app.get('/people', async () => {
  const { rows } = await pool.query('SELECT * FROM people ORDER BY tenant, email LIMIT 100');
  return rows;
});
await app.register(async (hooks) => {
  // The signature covers the bytes of the body, so nothing may parse it before.
  hooks.addContentTypeParser('application/json', (_request, body, done) => done(null, body));
  hooks.post('/hooks/directory', (request) => mirror.receive(request));
});
console.log(`listening on ${await app.listen({ port: Number(PORT), host: '127.0.0.1' })}`);

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await mirror.start({ signal: stop.signal, onError: console.error });
await app.close();
await pool.end();
