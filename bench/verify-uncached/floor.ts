/**
 * The floor of `verify-uncached`: runs one prepared SELECT by primary key for every request and
 * sends the same bytes, by compiled schemas, without checking any secret.
 */
import pg from 'pg';
import { answer, credentialRoute, serveFloor } from '../bare-fastify.js';

interface KeyRow {
  key_id: string;
  actor_id: string;
  scopes: string[];
  metadata: object;
  expire_time: Date;
}

// The service has as many connections.
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
/** Key ids by credential. */
const keyIds = JSON.parse(process.env['KEY_IDS'] ?? '{}') as Record<string, string>;

await serveFloor(
  (app) =>
    app.post<{ Body: { credential: string } }>(
      '/v2alpha1/admin/apiKeys::verify',
      credentialRoute,
      async ({ body }) => {
        const { rows } = await pool.query<KeyRow>({
          name: 'find',
          text: `SELECT key_id, actor_id, scopes, metadata, expire_time, secret_hash
                 FROM keys.api_keys WHERE key_id = $1`,
          values: [keyIds[body.credential]],
        });
        const { key_id, actor_id, scopes, metadata, expire_time } = rows[0]!;
        const expireTime = expire_time.toISOString();
        return { ...answer, key_id, actor_id, scopes, metadata, expire_time: expireTime };
      },
    ),
  { ready: () => pool.query('SELECT 1'), close: () => pool.end() },
);
