import { createServer } from 'node:http';
import { type FastifyServerFactory } from 'fastify';
import { tracedListener } from '@gatehouse/kit/tracing';
import { type DirectRoutes } from './direct-routes.js';
import { type HttpDrain } from './http-drain.js';

/** Node's default. The head of a request has to arrive in this time. */
const HEAD_TIMEOUT_MS = 60_000;
/** How late a request may be cut off after its timeout; Node's default is 30 seconds. */
const TIMEOUT_CHECK_MS = 1_000;

/** Creates servers as Fastify would, with the direct routes in front of it. */
export function serverFactory(drain: HttpDrain, directRoutes: DirectRoutes): FastifyServerFactory {
  return (fastify, options) => {
    const serve = directRoutes.inFrontOf(fastify);
    const requestTimeout = options.requestTimeout as number;
    const server = createServer(
      {
        ...(options.http as object),
        requestTimeout,
        headersTimeout: Math.min(HEAD_TIMEOUT_MS, requestTimeout),
        connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      },
      tracedListener((request, response) => {
        drain.onRequest(request, response);
        serve(request, response);
      }),
    );
    server.keepAliveTimeout = options.keepAliveTimeout as number;
    server.setTimeout(options.connectionTimeout as number);
    drain.watch(server);
    return server;
  };
}
