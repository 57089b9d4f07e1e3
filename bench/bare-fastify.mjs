// @ts-check
// What the floors over HTTP share. Each is a process that the benchmark starts: it is told by its
// environment where to listen and what the service answered, and is ready when /ready is 200.
import Fastify from 'fastify';

/** What the service answered first, for a floor to answer the same. */
export const answer = JSON.parse(process.env['ANSWER'] ?? '{}');

/** Of a bare route of the key service: a credential in the request, the answer out of a compiled serialiser. */
export const credentialRoute = {
  schema: {
    body: {
      type: 'object',
      required: ['credential'],
      properties: { credential: { type: 'string', minLength: 1 } },
    },
    response: { 200: schemaOf(answer) },
  },
};

/**
 * @param {(app: import('fastify').FastifyInstance) => unknown} addRoutes
 * @param {{ ready?: () => Promise<unknown>, close?: () => Promise<unknown> }} [beside] what has to
 *   answer before the first request and to be closed after the last one
 */
export async function serveFloor(addRoutes, { ready, close } = {}) {
  const app = Fastify();
  app.get('/ready', async () => {
    await ready?.();
    return { status: 'ok' };
  });
  await addRoutes(app);
  await app.listen({ host: process.env['HOST'], port: Number(process.env['PORT']) });
  process.once('SIGTERM', () => void app.close().then(close));
}

/**
 * The JSON Schema that describes exactly this value, so that the serialiser is compiled for it.
 *
 * @param {unknown} value
 * @returns {object}
 */
export function schemaOf(value) {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0] ?? '') };
  if (typeof value !== 'object') return { type: typeof value };
  const properties = Object.entries(value).map(([name, member]) => [name, schemaOf(member)]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
