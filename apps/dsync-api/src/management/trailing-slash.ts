import { type FastifyInstance } from 'fastify';

/** Also serves each management route that is registered later with a trailing slash. */
export function tolerateTrailingSlash(fastify: FastifyInstance, bases: readonly string[]): void {
  fastify.addHook('onRoute', (route) => {
    const { url, method } = route;
    const isManagement = bases.some((base) => url === `/${base}` || url.startsWith(`/${base}/`));
    // Fastify derives HEAD routes from GET routes, including those with the slash.
    if (!isManagement || url.endsWith('/') || method === 'HEAD') return;
    fastify.route({ ...route, url: `${url}/` });
  });
}
