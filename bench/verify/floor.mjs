// @ts-check
// The floor of `verify`: a bare Fastify route with a compiled schema for the request and the
// answer, which parses the same body and answers the same bytes, and does nothing else.
import Fastify from 'fastify';

const answer = JSON.parse(process.env['ANSWER'] ?? '{}');
const app = Fastify();

app.get('/ready', () => ({ status: 'ok' }));

app.post(
  '/v2alpha1/admin/apiKeys:verify'.replace(':', '::'),
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

/**
 * The JSON Schema that describes exactly this value, so that the serialiser is compiled for it.
 *
 * @param {unknown} value
 * @returns {object}
 */
function schemaOf(value) {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0] ?? '') };
  if (typeof value !== 'object') return { type: typeof value };
  const properties = Object.entries(value).map(([name, member]) => [name, schemaOf(member)]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
