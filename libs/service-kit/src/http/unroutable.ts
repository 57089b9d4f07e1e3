import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type RouteRecorder } from '../metrics/request-metrics.js';
import { type RequestLogger } from './request-log.js';

const ROUTE = 'unmatched';

/**
 * Answers an address that cannot be decoded. It finds no route and so no hook either: what hooks do
 * for every request is done here.
 */
export function answerUnroutable(
  fastify: FastifyInstance,
  { error, request, reply }: { error: Error; request: FastifyRequest; reply: FastifyReply },
  context: {
    securityHeaders: Readonly<Record<string, string>>;
    recorderOf: (route: string) => RouteRecorder;
    log: RequestLogger;
  },
): void {
  const startedMs = performance.now();
  const { id: requestId, method } = request;
  reply.raw.once('finish', () => {
    const { statusCode: status } = reply;
    const durationMs = performance.now() - startedMs;
    context.recorderOf(ROUTE)(method, status, durationMs / 1000);
    context.log({ requestId, method, route: ROUTE, status, durationMs });
  });
  reply.headers({ ...context.securityHeaders, 'x-request-id': requestId });
  fastify.errorHandler(error as never, request, reply);
}
