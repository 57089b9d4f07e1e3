// @ts-check
// The floor of decoding over HTTP: a bare Fastify route that parses the same urlencoded body into
// names and values, answers the same bytes through a compiled serialiser, and does nothing else.
import formbody from '@fastify/formbody';
import { answer, schemaOf, serveFloor } from '../../dist/bench/bare-fastify.js';

const route = { schema: { response: { 200: schemaOf(answer) } } };

await serveFloor(async (app) => {
  await app.register(formbody);
  app.post('/v1/schemas/:id/decode', route, () => answer);
});
