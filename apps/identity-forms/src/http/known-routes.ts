import { DomainError } from '@gatehouse/service-kit';
import { type FastifyInstance } from 'fastify';

interface KnownRoute {
  pattern: RegExp;
  methods: Set<string>;
}

/**
 * Which methods each address takes, gathered as the routes are registered: what turns a 404 into a
 * 405 with `Allow` where the address is known (RFC 9110 section 15.5.6).
 */
export class KnownRoutes {
  private readonly routes = new Map<string, KnownRoute>();

  /** Sees every route that is registered from now on, also in scopes within this one. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      const route = this.routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
      for (const each of [method].flat()) route.methods.add(each);
      this.routes.set(url, route);
    });
  }

  /** The refusal of a method that an address does not take; undefined for an unknown address. */
  refusalAt(url: string): DomainError | undefined {
    const [path = ''] = url.split('?', 1);
    const methods = [...this.routes.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((route) => [...route.methods]);
    if (methods.length === 0) return undefined;
    const allow = [...new Set(methods)].sort().join(', ');
    return new DomainError('method_not_allowed', 'METHOD_NOT_ALLOWED', `Use one of ${allow}.`, {
      headers: { allow },
    });
  }
}

/** `/flows/:id` as a pattern; routes with wildcards answer for themselves. */
function patternOf(url: string): RegExp {
  if (url.includes('*')) return /^(?!)/;
  const literal = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/:[A-Za-z]\w*/g, '[^/]+')}$`);
}
