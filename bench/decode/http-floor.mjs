// @ts-check
// The floor of decoding over HTTP: a bare Fastify route that parses the same urlencoded body into
// names and values, answers the same bytes through a compiled serialiser, and does nothing else.
import formbody from '@fastify/formbody';
import Fastify from 'fastify';

const answer = JSON.parse(process.env['ANSWER'] ?? '{}');
const app = Fastify();

app.get('/ready', () => ({ status: 'ok' }));

await app.register(formbody);

app.post(
  '/v1/schemas/:id/decode',
  { schema: { response: { 200: schemaOf(answer) } } },
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
