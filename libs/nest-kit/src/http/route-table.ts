import { type FastifyInstance } from 'fastify';
import { DomainError } from '@gatehouse/kit/errors';
import { KitErrors } from '@gatehouse/kit/errors';

interface Route {
  readonly pattern: RegExp;
  readonly method: string;
  /** The router's order of matching routes: fixed segments before parameters. */
  readonly rank: string;
}

export interface RouteTableOptions {
  /** Leaves HEAD out of `Allow`, although every GET route accepts it. */
  readonly omitHead?: boolean;
}

/**
 * The methods of every path, collected as routes are registered. It turns a 404 into a 405 with
 * `Allow` if the path exists (RFC 9110, section 15.5.6).
 */
export class RouteTable {
  private readonly routes: Route[] = [];

  constructor(private readonly options: RouteTableOptions = {}) {}

  /** Collects all routes that are registered after this call, including those of nested scopes. */
  watch(fastify: Pick<FastifyInstance, 'addHook'>): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      // Wildcard routes check methods themselves.
      if (url.includes('*')) {
        return;
      }
      for (const each of [method].flat()) {
        if (each !== 'HEAD' || !this.options.omitHead) {
          this.routes.push({ pattern: patternOf(url), method: each, rank: rankOf(url) });
        }
      }
    });
  }

  /** The error if the path exists with other methods only; undefined otherwise. */
  refusalOf(method: string, url: string): DomainError | undefined {
    const [path = ''] = url.split('?', 1);
    const matching = this.routes.filter(({ pattern }) => pattern.test(path));
    const [closest] = matching.map(({ rank }) => rank).sort();
    const methods = new Set(
      matching.filter(({ rank }) => rank === closest).map((route) => route.method),
    );
    // With the right method, the router has refused a parameter, such as an encoded slash.
    if (methods.size === 0 || methods.has(method)) {
      return undefined;
    }
    const allow = [...methods].sort().join(', ');
    const message = `Use one of ${allow}.`;
    return new DomainError(KitErrors.METHOD_NOT_ALLOWED, { message, headers: { allow } });
  }
}

const PARAMETER = /(?<!:):[A-Za-z]\w*(\([^)]*\))?/g;

/**
 * `/flows/:id` as a pattern; `::` is a literal colon. A parameter has no colon: `/keys/x:copy` is a
 * custom method that does not exist, rather than a key.
 */
function patternOf(url: string): RegExp {
  const literals = url
    .split(PARAMETER)
    .filter((_, index) => index % 2 === 0)
    .map((literal) => literal.replaceAll('::', ':').replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('[^/:]+')}$`);
}

/** One digit for each segment: 0 is fixed, 1 has a parameter and more, 2 is a parameter. */
function rankOf(url: string): string {
  return url
    .split('/')
    .map((segment) => {
      const rest = segment.replace(PARAMETER, '');
      return rest === segment ? '0' : rest === '' ? '2' : '1';
    })
    .join('');
}
