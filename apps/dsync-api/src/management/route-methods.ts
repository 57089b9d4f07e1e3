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
    const closest = matching.map(closeness).sort()[0];
    const methods = matching.filter((route) => closeness(route) === closest);
    return [...new Set(methods.map(({ method }) => method))].sort();
  }
}

function matches(route: readonly string[], path: readonly string[]): boolean {
  return (
    route.length === path.length &&
    route.every((segment, index) =>
      segment.startsWith(':') ? path[index] !== '' : segment === path[index],
    )
  );
}

/** Orders routes as the router prefers them: a fixed segment comes before a parameter. */
function closeness({ segments }: Route): string {
  return segments.map((segment) => (segment.startsWith(':') ? '1' : '0')).join('');
}
