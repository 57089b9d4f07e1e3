import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type RequestSteps, UNMATCHED } from './request-steps.js';

/** Responds to a URL that cannot be decoded. It matches no route, so Fastify runs no hooks. */
export function answerUnroutable(
  fastify: FastifyInstance,
  { error, request, reply }: { error: Error; request: FastifyRequest; reply: FastifyReply },
  steps: RequestSteps,
): void {
  const startedMs = performance.now();
  const { id: requestId, method } = request;
  reply.raw.once('finish', () => {
    const { statusCode: status } = reply;
    const durationMs = performance.now() - startedMs;
    const summary = { requestId, method, route: UNMATCHED, status, durationMs };
    steps.finish(summary, request.raw);
  });
  steps.addHeaders(reply, requestId, request.url);
  fastify.errorHandler(error as never, request, reply);
}
