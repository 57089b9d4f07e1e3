/** A route of bare Fastify that verifies by better-auth, which has no route of its own for it. */
import { serveFloor } from '../bare-fastify.js';
import { openBetterAuth } from './better-auth.js';

const { PEERS_DIR = '', DATABASE_URL = '', REDIS_URL } = process.env;
const { api, close } = await openBetterAuth(PEERS_DIR, {
  databaseUrl: DATABASE_URL,
  redisUrl: REDIS_URL,
});

await serveFloor(
  (app) =>
    app.post<{ Body: { credential: string } }>('/verify', ({ body }) =>
      api.verifyApiKey({ body: { key: body.credential } }),
    ),
  { close },
);
