/**
 * The floor of decoding over HTTP: parses the same urlencoded body into names and values and sends
 * the same bytes through a compiled serializer.
 */
import formbody from '@fastify/formbody';
import { answer, schemaOf, serveFloor } from '../bare-fastify.js';

const route = { schema: { response: { 200: schemaOf(answer) } } };

await serveFloor(async (app) => {
  await app.register(formbody);
  app.post('/v1/schemas/:id/decode', route, () => answer);
});
