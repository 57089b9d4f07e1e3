import { HttpException } from '@nestjs/common';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { type RequestSteps, UNMATCHED } from './request-steps.js';

/**
 * Responds to a URL that cannot be decoded. It matches no route, so Fastify runs no hooks. The
 * message of the error is not logged: it contains the URL, and so perhaps the secret of a link.
 */
export function answerUnroutable(
  fastify: FastifyInstance,
  { error, request, reply }: { error: FastifyError; request: FastifyRequest; reply: FastifyReply },
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
  steps.addHeaders(reply, requestId);
  const fault = new HttpException(error.code, error.statusCode ?? 500);
  fastify.errorHandler(fault as never, request, reply);
}
