/** Shared by the floors of HTTP rows, which the benchmark starts as separate processes. */
import Fastify, { type FastifyInstance } from 'fastify';

/** The service's first response body, for the floor to reproduce. */
export const answer = JSON.parse(process.env['ANSWER'] ?? '{}') as object;

/** Options of a route that takes a credential and serializes `answer`, both by compiled schemas. */
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
 * Serves `addRoutes` and, for the benchmark to wait for, /ready. `ready` must resolve before the
 * first request, `close` runs after the last one.
 */
export async function serveFloor(
  addRoutes: (app: FastifyInstance) => unknown,
  { ready, close }: { ready?: () => Promise<unknown>; close?: () => Promise<unknown> } = {},
): Promise<void> {
  const app = Fastify();
  app.get('/ready', async () => {
    await ready?.();
    return { status: 'ok' };
  });
  await addRoutes(app);
  await app.listen({ host: process.env['HOST'], port: Number(process.env['PORT']) });
  process.once('SIGTERM', () => void app.close().then(close));
}

/** The JSON Schema of exactly this value, so that the serializer is compiled for it. */
export function schemaOf(value: unknown): object {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0] ?? '') };
  if (typeof value !== 'object') return { type: typeof value };
  const properties = Object.entries(value).map(([name, member]) => [name, schemaOf(member)]);
  return { type: 'object', properties: Object.fromEntries(properties) as object };
}
