/**
 * Admits only administrators to an admin surface. It guards paths, so a new route cannot be
 * forgotten, and runs before the body is read, so unauthorized requests are cheap and reveal nothing
 * about the input that a route expects.
 */
import { type ControlScope } from '@gatehouse/schemas';
import { type FastifyInstance, type FastifyRequest, type onRequestHookHandler } from 'fastify';
import { DomainError } from '@gatehouse/kit/errors';
import {
  type AdminAuth,
  type AdminCaller,
  AdminDeniedError,
  type AuthorizeOptions,
} from './admin-auth.js';

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
const DENIED: readonly unknown[] = ['unauthenticated', 'permission_denied'];

/** A call that was answered 401 or 403. */
export interface Denial {
  readonly status: number;
  /** An administrator who lacks a scope; null for anyone else. */
  readonly caller: AdminCaller | null;
}

export interface AdminSurface {
  /** An issued key needs no more than this for GET and HEAD. */
  readScope?: ControlScope;
  /** Path prefixes of the guarded routes, such as `/v1/`. */
  paths: readonly string[];
  /** Replaces the error that AdminAuth threw. */
  refusal?: (error: unknown) => unknown;
}

type OnDenied = (request: FastifyRequest, denial: Denial) => void;

/**
 * Guards the routes that are registered after this call.
 * @param onDenied is called before the answer; it must not throw
 */
export function guardAdminRoutes(
  fastify: FastifyInstance,
  auth: AdminAuth,
  { paths, readScope, refusal = (error) => error }: AdminSurface,
  onDenied: OnDenied = () => undefined,
): void {
  fastify.decorateRequest('adminCaller', null);
  fastify.addHook('onRoute', (route) => {
    if (!paths.some((path) => route.url.startsWith(path))) return;
    const isReading = [route.method].flat().every((method) => READING_METHODS.includes(method));
    const options = { ...(isReading && { scope: readScope }), ...route.config?.admin };
    const guard = guardOf(auth, options, (request, error) => {
      const denial = denialOf(error);
      if (denial) onDenied(request, denial);
      return refusal(error);
    });
    route.onRequest = [guard, ...[route.onRequest ?? []].flat()];
  });
}

function guardOf(
  auth: AdminAuth,
  options: AuthorizeOptions,
  refused: (request: FastifyRequest, error: unknown) => unknown,
): onRequestHookHandler {
  return (request, _reply, done) => {
    const refuse = (error: unknown) => done(refused(request, error) as Error);
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

/** The denial that an error of the guard means. */
function denialOf(error: unknown): Denial | undefined {
  if (!(error instanceof DomainError) || !DENIED.includes(error.kind)) return undefined;
  const caller = error instanceof AdminDeniedError ? error.caller : null;
  return { status: error.httpStatus, caller };
}

/** The administrator who called a route of the admin surface. */
export function adminCallerOf({ adminCaller }: FastifyRequest): AdminCaller {
  if (!adminCaller) throw new Error('this route is not below a path of the admin surface');
  return adminCaller;
}
