/** The floor of `verify`: parses the same body and sends the same bytes, by compiled schemas. */
import { answer, credentialRoute, serveFloor } from '../bare-fastify.js';

await serveFloor((app) =>
  app.post('/v2alpha1/admin/apiKeys::verify', credentialRoute, () => answer),
);
