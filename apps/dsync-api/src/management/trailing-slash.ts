import { type FastifyInstance } from 'fastify';

/** Serves every management address that is registered after it with a slash at its end, too. */
export function tolerateTrailingSlash(fastify: FastifyInstance, bases: readonly string[]): void {
  fastify.addHook('onRoute', (route) => {
    const { url, method } = route;
    const isManagement = bases.some((base) => url === `/${base}` || url.startsWith(`/${base}/`));
    // HEAD routes are made of the GET routes by Fastify, those with the slash as well.
    if (!isManagement || url.endsWith('/') || method === 'HEAD') return;
    fastify.route({ ...route, url: `${url}/` });
  });
}
