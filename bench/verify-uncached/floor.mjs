// @ts-check
// The floor of `verify-uncached`: a bare Fastify route with a compiled schema that runs one prepared
// SELECT by primary key for every request, and answers with the row.
import Fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const keyId = process.env['KEY_ID'] ?? '';
const app = Fastify();

const text = { type: 'string' };
const columns = ['key_id', 'name', 'actor_id'];

app.get('/ready', async () => {
  await pool.query('SELECT 1');
  return { status: 'ok' };
});

app.post(
  '/v2alpha1/admin/apiKeys::verify',
  {
    schema: {
      body: {
        type: 'object',
        required: ['credential'],
        properties: { credential: { type: 'string', minLength: 1 } },
      },
      response: {
        200: {
          type: 'object',
          properties: {
            ...Object.fromEntries(columns.map((name) => [name, text])),
            scopes: { type: 'array', items: text },
            metadata: { type: 'object', additionalProperties: true },
            expire_time: text,
          },
        },
      },
    },
  },
  async () => {
    const { rows } = await pool.query({
      name: 'find',
      text: `SELECT key_id, name, actor_id, scopes, metadata, expire_time, secret_hash
             FROM keys.api_keys WHERE key_id = $1`,
      values: [keyId],
    });
    return rows[0];
  },
);

await app.listen({ host: process.env['HOST'], port: Number(process.env['PORT']) });
process.once('SIGTERM', () => void app.close().then(() => pool.end()));
