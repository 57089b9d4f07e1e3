// @ts-check
// The floor of `verify`: a bare Fastify route with a compiled schema for the request and the
// answer, which parses the same body and answers the same bytes, and does nothing else.
import Fastify from 'fastify';
import { schemaOf } from './answer-schema.mjs';

const answer = JSON.parse(process.env['ANSWER'] ?? '{}');
const app = Fastify();

app.get('/ready', () => ({ status: 'ok' }));

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
  () => answer,
);

await app.listen({ host: process.env['HOST'], port: Number(process.env['PORT']) });
process.once('SIGTERM', () => void app.close());
