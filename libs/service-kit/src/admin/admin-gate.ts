/**
 * Admits only administrators to an admin surface. It guards paths, so a new route cannot be
 * forgotten, and runs before the body is read, so unauthorized requests are cheap and reveal nothing
 * about the input that a route expects.
 */
import { type ControlScope } from '@gatehouse/schemas';
import { type FastifyInstance, type FastifyRequest, type onRequestHookHandler } from 'fastify';
import { type AdminAuth, type AdminCaller, type AuthorizeOptions } from './admin-auth.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Options of this route that differ from those of the surface. */
    admin?: AuthorizeOptions;
  }
  interface FastifyRequest {
    /** Set on the routes of the admin surface; see `adminCallerOf`. */
    adminCaller: AdminCaller | null;
  }
}

const READING_METHODS = ['GET', 'HEAD'];

export interface AdminSurface {
  /** An issued key needs no more than this for GET and HEAD. */
  readScope?: ControlScope;
  /** Path prefixes of the guarded routes, such as `/v1/`. */
  paths: readonly string[];
  /** Replaces the error that AdminAuth threw. */
  refusal?: (error: unknown) => unknown;
}

/** Guards the routes that are registered after this call. */
export function guardAdminRoutes(
  fastify: FastifyInstance,
  auth: AdminAuth,
  { paths, readScope, refusal = (error) => error }: AdminSurface,
): void {
  fastify.decorateRequest('adminCaller', null);
  fastify.addHook('onRoute', (route) => {
    if (!paths.some((path) => route.url.startsWith(path))) return;
    const isReading = [route.method].flat().every((method) => READING_METHODS.includes(method));
    const options = { ...(isReading && { scope: readScope }), ...route.config?.admin };
    const guard = guardOf(auth, options, refusal);
    route.onRequest = [guard, ...[route.onRequest ?? []].flat()];
  });
}

function guardOf(
  auth: AdminAuth,
  options: AuthorizeOptions,
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

/** The administrator who called a route of the admin surface. */
export function adminCallerOf({ adminCaller }: FastifyRequest): AdminCaller {
  if (!adminCaller) throw new Error('this route is not below a path of the admin surface');
  return adminCaller;
}
