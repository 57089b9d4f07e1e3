import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { type FastifyServerFactory } from 'fastify';
import { tracedListener } from '@gatehouse/kit/tracing';
import { type DirectRoutes } from './direct-routes.js';
import { type HttpDrain } from './http-drain.js';

/** Node's default. The head of a request has to arrive in this time, if no other is given. */
const HEAD_TIMEOUT_MS = 60_000;
/** How late a request may be cut off after its timeout; Node's default is 30 seconds. */
const TIMEOUT_CHECK_MS = 1_000;

/** Creates servers as Fastify would, with the direct routes in front of it. */
export function serverFactory(drain: HttpDrain, directRoutes: DirectRoutes): FastifyServerFactory {
  return (fastify, options) => {
    const serve = tracedListener(directRoutes.inFrontOf(fastify));
    const server = createHttpServer(serve, drain, {
      ...(options.http as object),
      requestTimeout: options.requestTimeout as number,
      keepAliveTimeout: options.keepAliveTimeout as number,
    });
    server.setTimeout(options.connectionTimeout as number);
    return server;
  };
}

/** Creates a server whose connections the drain follows, and that cuts off slow requests in time. */
export function createHttpServer(
  serve: RequestListener,
  drain: HttpDrain,
  options: ServerOptions & { readonly requestTimeout: number },
): Server {
  const server = createServer(
    {
      headersTimeout: Math.min(HEAD_TIMEOUT_MS, options.requestTimeout),
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      ...options,
    },
    (request, response) => {
      drain.onRequest(request, response);
      serve(request, response);
    },
  );
  drain.watch(server);
  return server;
}
