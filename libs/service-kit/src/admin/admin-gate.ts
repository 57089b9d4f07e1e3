/**
 * Admits only administrators to an admin surface. It guards by path, so no route can be forgotten,
 * and before the body is read, so a refused caller costs little and learns nothing.
 */
import { type FastifyInstance, type FastifyRequest, type onRequestHookHandler } from 'fastify';
import { type AdminAuth, type AdminCaller, type AuthorizeOptions } from './admin-auth.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How this route asks for an administrator, where it differs from the others. */
    admin?: AuthorizeOptions;
  }
  interface FastifyRequest {
    /** Set on the routes of the admin surface; see `adminCallerOf`. */
    adminCaller: AdminCaller | null;
  }
}

export interface AdminSurface {
  /** What the addresses of its routes begin with, such as `/v1/`. */
  paths: readonly string[];
  /** What a refused caller is told instead of what AdminAuth threw. */
  refusal?: (error: unknown) => unknown;
}

/** To be called before routes are registered: it sees those that come after it. */
export function guardAdminRoutes(
  fastify: FastifyInstance,
  auth: AdminAuth,
  { paths, refusal = (error) => error }: AdminSurface,
): void {
  fastify.decorateRequest('adminCaller', null);
  fastify.addHook('onRoute', (route) => {
    if (!paths.some((path) => route.url.startsWith(path))) return;
    const guard = guardOf(auth, route.config?.admin, refusal);
    route.onRequest = [guard, ...[route.onRequest ?? []].flat()];
  });
}

function guardOf(
  auth: AdminAuth,
  options: AuthorizeOptions | undefined,
  refusal: (error: unknown) => unknown,
): onRequestHookHandler {
  return (request, _reply, done) => {
    const refuse = (error: unknown) => done(refusal(error) as Error);
    const admit = (caller: AdminCaller) => {
      request.adminCaller = caller;
      done();
    };
    try {
      const caller = auth.authorize(request, options);
      if (caller instanceof Promise) caller.then(admit, refuse);
      else admit(caller);
    } catch (error) {
      refuse(error);
    }
  };
}

/** The administrator who was let through to a route of the admin surface. */
export function adminCallerOf({ adminCaller }: FastifyRequest): AdminCaller {
  if (!adminCaller) throw new Error('this route is not below a path of the admin surface');
  return adminCaller;
}
