// Tells "no such address" from "not with this method": the second is 405 and names the methods
// that work (RFC 9110 section 15.5.6).
import { type FastifyInstance } from 'fastify';

interface Route {
  segments: string[];
  method: string;
}

/** Remembers every route that is registered after it was made. */
export class RouteMethods {
  private readonly routes: Route[] = [];

  constructor(fastify: FastifyInstance) {
    fastify.addHook('onRoute', ({ url, method }) => {
      for (const each of [method].flat()) {
        if (each !== 'HEAD') this.routes.push({ segments: url.split('/'), method: each });
      }
    });
  }

  /** The methods of the address, which may be none. */
  of(url: string): string[] {
    const segments = (url.split('?', 1)[0] ?? '').split('/');
    const matching = this.routes.filter((route) => matches(route.segments, segments));
    return [...new Set(matching.map(({ method }) => method))].sort();
  }
}

function matches(route: readonly string[], path: readonly string[]): boolean {
  return (
    route.length === path.length &&
    route.every((segment, index) => segment.startsWith(':') || segment === path[index])
  );
}
