// @ts-check
// The floor of `verify`: a bare Fastify route with a compiled schema for the request and the
// answer, which parses the same body and answers the same bytes, and does nothing else.
import { answer, credentialRoute, serveFloor } from '../bare-fastify.mjs';

await serveFloor((app) =>
  app.post('/v2alpha1/admin/apiKeys::verify', credentialRoute, () => answer),
);
