// @ts-check
// The floor of `verify-uncached`: a bare Fastify route with compiled schemas that runs one prepared
// SELECT by primary key for every request and answers the same bytes, without a look at any secret.
import pg from 'pg';
import { answer, credentialRoute, serveFloor } from '../bare-fastify.mjs';

// As many connections as the service has.
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
/** @type {Record<string, string>} key ids by credential */
const keyIds = JSON.parse(process.env['KEY_IDS'] ?? '{}');

await serveFloor(
  (app) =>
    app.post('/v2alpha1/admin/apiKeys::verify', credentialRoute, async (request) => {
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
    }),
  { ready: () => pool.query('SELECT 1'), close: () => pool.end() },
);
