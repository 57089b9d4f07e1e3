// @ts-check
// The floor of `verify-uncached`: a bare Fastify route with compiled schemas that runs one prepared
// SELECT by primary key for every request and answers the same bytes, without a look at any secret.
import Fastify from 'fastify';
import pg from 'pg';
import { schemaOf } from '../verify/answer-schema.mjs';

// As many connections as the service has.
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const answer = JSON.parse(process.env['ANSWER'] ?? '{}');
/** @type {Record<string, string>} key ids by credential */
const keyIds = JSON.parse(process.env['KEY_IDS'] ?? '{}');
const app = Fastify();

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
      response: { 200: schemaOf(answer) },
    },
  },
  async (request) => {
    const { credential } = /** @type {{ credential: string }} */ (request.body);
    const { rows } = await pool.query({
      name: 'find',
      text: `SELECT key_id, actor_id, scopes, metadata, expire_time, secret_hash
             FROM keys.api_keys WHERE key_id = $1`,
      values: [keyIds[credential]],
    });
    const { key_id, actor_id, scopes, metadata, expire_time } = rows[0];
    return {
      ...answer,
      key_id,
      actor_id,
      scopes,
      metadata,
      expire_time: expire_time.toISOString(),
    };
  },
);

await app.listen({ host: process.env['HOST'], port: Number(process.env['PORT']) });
process.once('SIGTERM', () => void app.close().then(() => pool.end()));
